/** Lists a tar archive. Source of the layout: POSIX ustar, and the long names of GNU tar. */
import { type Reading, type ReadQuestion, Unreadable } from '../document.ts';
import { type ListedEntry, listingText } from './listing.ts';
import { MAX_ENTRIES } from './open-zip.ts';

const BLOCK = 512;

export async function readTar({ bytes }: Pick<ReadQuestion, 'bytes'>, mime: string): Promise<Reading> {
  const { entries, count } = listTar(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (count === 0) throw new Unreadable('corrupt', 'It is damaged: no entry of the tar archive can be read.');
  return {
    kind: 'tar',
    mime,
    text: listingText({ what: 'tar archive', entries, count }),
    truncated: count > entries.length,
  };
}

function listTar(tar: Buffer): { entries: readonly ListedEntry[]; count: number } {
  const entries: ListedEntry[] = [];
  let count = 0;
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const size = octal(tar, at + 124, 12);
    const type = String.fromCharCode(tar[at + 156]!);
    if (size === undefined) break;
    if (type === 'L') longName = field(tar, at + BLOCK, Math.min(size, 4096));
    else if (type !== 'x' && type !== 'g') {
      count++;
      const prefix = tar.toString('latin1', at + 257, at + 262) === 'ustar' ? field(tar, at + 345, 155) : '';
      const seconds = octal(tar, at + 136, 12);
      if (entries.length < MAX_ENTRIES)
        entries.push({
          name: longName ?? (prefix ? `${prefix}/` : '') + field(tar, at, 100),
          bytes: size,
          date: seconds === undefined ? undefined : new Date(seconds * 1000),
        });
      longName = undefined;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return { entries, count };
}

const field = (tar: Buffer, at: number, length: number): string =>
  tar.toString('utf8', at, at + length).split('\0', 1)[0]!;

function octal(tar: Buffer, at: number, length: number): number | undefined {
  const digits = field(tar, at, length).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}
