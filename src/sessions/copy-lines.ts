/** Copies lines of one transcript to the beginning of another. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Transcript } from './transcript.ts';
import type { BodyLine } from './transcript-line.ts';

/** Lines that are written at once: more would hold the event loop. */
const SLICE = 200;

/** Resolves when they are on disk. */
export async function copyLines(lines: readonly BodyLine[], to: Transcript): Promise<void> {
  for (let at = 0; at < lines.length; at += SLICE) {
    await to.append(lines.slice(at, at + SLICE));
    await breathe();
  }
  if (lines.length > 0) await to.sync();
}

/** The lines up to the last finished answer: a turn that still runs there is no part of what was said. */
export const finishedLines = (lines: readonly BodyLine[]): readonly BodyLine[] =>
  lines.slice(0, lines.findLastIndex(isAnswer) + 1);

const isAnswer = (line: BodyLine): boolean =>
  line.type === 'compaction' ||
  (line.type === 'message' && line.message.role === 'assistant' && line.message.stopReason === 'stop');
