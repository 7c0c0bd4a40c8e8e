/** Lists a ZIP archive: names, sizes, dates, encrypted entries, and whether it is a ZIP bomb. */
import type { Entry } from 'yauzl';
import type { Reading, ReadQuestion } from '../document.ts';
import { listingText } from './listing.ts';
import { openZip } from './open-zip.ts';

/** Text and tables rarely shrink to less than a fiftieth. */
const BOMB_RATIO = 200;

export async function readZip({ bytes }: ReadQuestion, mime: string): Promise<Reading> {
  const { entries, entryCount, hasMore } = await openZip(bytes);
  const unpacked = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  const ratio = Math.round(unpacked / Math.max(1, bytes.length));
  const warning =
    ratio > BOMB_RATIO ? `Warning: it would unpack to ${ratio} times its size, as decompression bombs do.` : undefined;
  const listed = entries.map((entry) => ({
    name: entry.fileName,
    bytes: entry.uncompressedSize,
    date: dateOf(entry),
    note: entry.isEncrypted() ? 'encrypted' : undefined,
  }));
  return {
    kind: 'zip',
    mime,
    text: listingText({ what: 'ZIP archive', entries: listed, count: entryCount, warning }),
    truncated: hasMore,
  };
}

const dateOf = (entry: Entry): Date => entry.getLastModDate({ timezone: 'UTC' });
