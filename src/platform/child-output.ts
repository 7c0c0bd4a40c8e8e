/** Keeps the wanted part of a child's output; the rest is read and discarded, so that the child never blocks. */
import type { Readable } from 'node:stream';

/** The first `limit` bytes; `onMore` fires once when there are more, and reading goes on without keeping. */
export function keepHead(stream: Readable, limit: number, onMore: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  let over = false;
  stream.on('data', (chunk: Buffer) => {
    if (over) return;
    over = size + chunk.length > limit;
    const kept = over ? chunk.subarray(0, limit - size) : chunk;
    chunks.push(kept);
    size += kept.length;
    if (over) onMore();
  });
  ignoreBreaks(stream);
  return () => Buffer.concat(chunks);
}

/** The last `limit` bytes as text, beginning with a whole character. */
export function keepTail(stream: Readable, limit: number): () => string {
  let tail = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    tail =
      chunk.length >= limit
        ? Buffer.from(chunk.subarray(-limit))
        : Buffer.concat([tail.subarray(Math.max(0, tail.length + chunk.length - limit)), chunk]);
  });
  ignoreBreaks(stream);
  return () => {
    let from = 0;
    while (from < 4 && (tail[from]! & 0xc0) === 0x80) from++;
    return tail.subarray(from).toString('utf8');
  };
}

/** A broken pipe ends the output; the exit says how the program ended. */
function ignoreBreaks(stream: Readable): void {
  stream.on('error', () => {});
}
