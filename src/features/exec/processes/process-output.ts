/** The output of a process as text: tail, head and tail, new text since an offset, and ranges of lines. */
import type { ProcessLog } from '../../../core/shell.ts';
import type { Spool } from '../platform/spool.ts';
import { cleaned, createCleaner } from '../output/cleaner.ts';
import { gap, headTail } from '../output/head-tail.ts';
import { logWindow } from '../output/lines.ts';
import { createLineIndex } from './line-index.ts';
import { safeCut } from './safe-cut.ts';

export interface ProcessOutput {
  /** Looks at the spool; true when there is more than before. Shortens it when it is too long. */
  refresh(): Promise<boolean>;
  /** As of the last refresh. */
  facts(): {
    readonly tail: string;
    readonly bytes: number;
    readonly dropped: number;
    /** Milliseconds since the epoch. */
    readonly writtenAt: number | undefined;
  };
  /**
   * What is kept from an offset to the end, in characters; `next` is the offset behind it. `open`: more may come, so
   * nothing is torn at the end.
   */
  since(
    offset: number,
    limits: Limits & { readonly open: boolean },
  ): Promise<{ readonly output: string; readonly cut: number; readonly next: number }>;
  log(window: {
    readonly offset?: number | undefined;
    readonly limit?: number | undefined;
  }): Promise<Omit<ProcessLog, 'view'>>;
}

export interface Limits {
  readonly headChars: number;
  readonly tailChars: number;
}

const TAIL_CHARS = 2000;
/** Control sequences may outweigh the text by far. */
const TAIL_BYTES = 16 * 1024;
/** Up to here all of it is cleaned to be cut exactly; beyond, head and tail are, and the middle is counted. */
const EXACT_BYTES = 1024 * 1024;
/** Up to here lines are counted as they are shown; beyond, by line feeds. */
const EXACT_LOG_BYTES = 256 * 1024;
/** UTF-8 takes up to four bytes a character, and what is dropped takes room too. */
const BYTES_PER_CHAR = 4;

export function createProcessOutput(spool: Spool): ProcessOutput {
  const index = createLineIndex(spool);
  let tail = '';

  const textOf = async (from: number, to: number): Promise<string> => {
    const cleaner = createCleaner();
    let text = '';
    await spool.read(from, to, (bytes) => {
      text += cleaner.push(bytes);
    });
    return text + cleaner.end();
  };
  const lastBytes = async (from: number, to: number): Promise<Buffer> => {
    const pieces: Buffer[] = [];
    await spool.read(from, to, (bytes) => {
      pieces.push(bytes);
    });
    return Buffer.concat(pieces);
  };

  async function readTail(): Promise<string> {
    const from = spool.before(spool.end(), TAIL_BYTES);
    const bytes = await lastBytes(from, spool.end());
    const line = from === 0 ? 0 : bytes.subarray(0, bytes.length >> 1).indexOf(0x0a) + 1;
    return whole(cleaned(bytes.subarray(line)).slice(-TAIL_CHARS));
  }

  /** Where what is kept ends without tearing anything. */
  async function endOfWhole(from: number): Promise<number> {
    const start = Math.max(from, spool.before(spool.end(), 1024));
    const bytes = await lastBytes(start, spool.end());
    return spool.end() - bytes.length + safeCut(bytes);
  }

  /** Too much to look at all of it. */
  async function ends(
    from: number,
    to: number,
    { headChars, tailChars }: Limits,
  ): Promise<{ output: string; cut: number }> {
    const tailStart = Math.max(from, spool.before(to, tailChars * BYTES_PER_CHAR));
    const headEnd = Math.min(tailStart, from + headChars * BYTES_PER_CHAR);
    const head = await textOf(from, headEnd);
    const tailText = await textOf(tailStart, to);
    const middle = await index.charsBetween(headEnd, tailStart);
    const first = whole(head.slice(0, headChars));
    const last = whole(tailText.slice(-tailChars || tailText.length));
    const cut = head.length - first.length + middle + tailText.length - last.length;
    return { output: `${first.replace(/\n$/, '')}\n${gap(cut)}\n${last}`, cut };
  }

  return {
    async refresh() {
      const before = spool.end();
      await spool.measure();
      if (spool.end() === before) return false;
      tail = await readTail();
      return true;
    },
    facts: () => ({ tail, bytes: spool.end(), dropped: spool.dropped(), writtenAt: spool.writtenAt() }),
    async since(offset, { headChars, tailChars, open }) {
      const next = open ? await endOfWhole(offset) : spool.end();
      const missing = next - offset - spool.kept(offset, next);
      const found =
        next - offset - missing <= EXACT_BYTES
          ? headTail(await textOf(offset, next), { head: headChars, tail: tailChars })
          : await ends(offset, next, { headChars, tailChars });
      // Bytes that are gone are counted as characters; nobody can know better any more.
      return { output: found.output, cut: found.cut + missing, next };
    },
    async log(window) {
      const kept = spool.kept(0, spool.end());
      if (kept > EXACT_LOG_BYTES) return { ...(await index.window(window)), droppedBytes: spool.dropped() };
      const text = await textOf(0, spool.end());
      return { ...logWindow(text, window), totalChars: text.length, droppedBytes: spool.dropped() };
    },
  };
}

/** Without the halves of characters a cut left at its edges. */
const whole = (text: string): string =>
  text.isWellFormed() ? text : text.replace(/^\p{Surrogate}|\p{Surrogate}$/gu, '');
