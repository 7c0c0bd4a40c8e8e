/** The whole lines of a file from an offset on, with where each ends; a line without its end is left for later. */
import { open } from 'node:fs/promises';

const CHUNK = 64 * 1024;
/** A longer line is passed over: it carries pictures. Bytes. */
const MAX_LINE = 2 * 1024 * 1024;
const NEWLINE = 10;

export interface LineEnd {
  readonly text: string;
  /** Bytes from the beginning of the file. */
  readonly end: number;
}

/** A file that is not there has no lines; one that became shorter has none that are new. */
export async function* linesFrom(path: string, offset: number): AsyncGenerator<LineEnd> {
  const file = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw cause;
  });
  if (!file) return;
  await using held = file;
  const { size } = await held.stat();
  if (size < offset) return yield { text: '', end: size };
  const chunk = Buffer.allocUnsafe(CHUNK);
  let at = offset;
  let parts: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead } = await held.read(chunk, 0, CHUNK, at);
    if (bytesRead === 0) return;
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < bytesRead; end = chunk.indexOf(NEWLINE, from)) {
      const text =
        length + end - from > MAX_LINE ? '' : Buffer.concat([...parts, chunk.subarray(from, end)]).toString();
      yield { text, end: at + end + 1 };
      [parts, length, from] = [[], 0, end + 1];
    }
    length += bytesRead - from;
    if (length <= MAX_LINE) parts.push(Buffer.from(chunk.subarray(from, bytesRead)));
    else parts = [];
    at += bytesRead;
  }
}
