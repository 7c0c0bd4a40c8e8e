/** Reads a file line by line, without loading all of it into memory. */
import { open } from 'node:fs/promises';

/** Longer ones carry pictures; what was said is elsewhere. Bytes. */
const MAX_LINE = 1024 * 1024;
const CHUNK = 64 * 1024;

/** A file that is not there has no lines. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw cause;
  });
  if (!file) return;
  await using held = file;
  const decoder = new TextDecoder();
  const chunk = new Uint8Array(CHUNK);
  let rest = '';
  for (;;) {
    const { bytesRead } = await held.read(chunk, 0, CHUNK);
    if (bytesRead === 0) break;
    const lines = (rest + decoder.decode(chunk.subarray(0, bytesRead), { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    // What is too long already is thrown away as it comes.
    if (rest.length > MAX_LINE) rest = ' ';
    yield* lines;
  }
  if (rest.trim() !== '') yield rest;
}
