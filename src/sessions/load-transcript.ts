/** Reads a transcript file line by line; unreadable lines are skipped and reported. */
import type { Log } from '../core/log.ts';
import { readSlice } from '../platform/append-file.ts';
import { readBytesIfExists } from '../platform/files.ts';
import { parseLine, type BodyLine, type HeaderLine } from './transcript-line.ts';

/** Bytes read before others have their turn; counted so, because lines are of very different length. */
const BREATH_BYTES = 32 * 1024;

export interface LoadedTranscript {
  readonly lines: BodyLine[];
  /** Up to the end of the last whole line. */
  readonly bytes: number;
  /** A broken line lies behind it. */
  readonly torn: boolean;
  readonly header: boolean;
  /** How many lines were read before the first that made no sense. */
  readonly damagedAt: number | undefined;
}

export async function loadTranscript(path: string, log: Log): Promise<LoadedTranscript> {
  const bytes = (await readBytesIfExists(path)) ?? Buffer.alloc(0);
  const end = bytes.lastIndexOf(0x0a) + 1; // counted in bytes: damaged text has other lengths when decoded
  const torn = end < bytes.length;
  const lines: BodyLine[] = [];
  let header = false;
  let skipped = 0;
  let damagedAt: number | undefined;
  let breathed = 0;
  for (let from = 0, to = 0; from < end; from = to + 1) {
    to = bytes.indexOf(0x0a, from);
    if (to === from) continue;
    const line = parseLine(bytes.toString('utf8', from, to));
    if (line === undefined) {
      skipped++;
      damagedAt ??= lines.length;
    } else if (line.type === 'session') header = true;
    else lines.push(line);
    if (to - breathed < BREATH_BYTES) continue;
    await new Promise((resolve) => setImmediate(resolve));
    breathed = to;
  }
  if (torn || skipped > 0) log.warn('transcript.damaged', { path, torn, skipped });
  return { lines, bytes: end, torn, header: header || lines.length > 0, damagedAt };
}

/** The first line of a transcript without reading the rest. */
export async function readHeader(path: string): Promise<HeaderLine | undefined> {
  const slice = await readSlice(path, { from: 0, to: 4096 });
  const line = slice && parseLine(slice.text.split('\n', 1)[0] ?? '');
  return line?.type === 'session' ? line : undefined;
}
