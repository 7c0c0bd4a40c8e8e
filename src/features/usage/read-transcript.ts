/** Adds to the sums what a transcript says beyond what was read of it before, in parts that hold up nobody. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UsageRow } from './answers.ts';
import { noLatency } from './latency.ts';
import { parseLine } from '../../sessions/transcript-line.ts';
import { linesFrom } from './platform/lines-from.ts';
import { readUsage, type Used } from './usage-line.ts';
import { addedRows, type ReadSoFar, type UsageStore } from './usage-tables.ts';

export interface Transcript {
  /** Names it for good. */
  readonly file: string;
  readonly path: string;
  readonly agent: string;
}

export interface ReadDeps {
  readonly store: UsageStore;
  /** The day of an instant, `2026-11-27`. */
  dayOf(at: number): string;
  /** Where the message of a turn came from, as far as it is known. */
  channelOf(turnId: string, key: string | undefined): Promise<string>;
  readonly signal: AbortSignal;
}

/** Lines between two commits. */
const PART_LINES = 500;
/** Milliseconds between two turns of the event loop. */
const STEP_MS = 4;

/** Answers whether there was anything new. */
export async function readTranscript(transcript: Transcript, deps: ReadDeps): Promise<boolean> {
  const { file, path, agent } = transcript;
  let { offset, open }: ReadSoFar = await deps.store.soFar(file);
  const begun = offset;
  let rows = new Map<string, UsageRow>();
  let lines = 0;
  let step = performance.now();
  const keep = async (): Promise<void> => {
    await deps.store.add([...rows.values()], file, { offset, open });
    [rows, lines] = [new Map(), 0];
  };
  let sessionKey: string | undefined;
  for await (const { text, end } of linesFrom(path, offset)) {
    deps.signal.throwIfAborted();
    if (offset === 0) sessionKey = sessionOf(text);
    const read = readUsage(text, open);
    [open, offset] = [read.open, end];
    if (read.used) {
      const row = rowOf(read.used, agent, await deps.channelOf(read.used.turnId, sessionKey), deps);
      const key = JSON.stringify([row.day, row.channel, row.model]);
      const before = rows.get(key);
      rows.set(key, before ? addedRows(before, row) : row);
    }
    if (++lines >= PART_LINES) await keep();
    if (performance.now() - step > STEP_MS) {
      await nextTurn();
      step = performance.now();
    }
  }
  if (offset !== begun) await keep();
  return offset !== begun;
}

/** The first line of a transcript says whose it is. */
function sessionOf(text: string): string | undefined {
  const line = parseLine(text);
  return line?.type === 'session' ? line.sessionKey : undefined;
}

const rowOf = (used: Used, agent: string, channel: string, { dayOf }: Pick<ReadDeps, 'dayOf'>): UsageRow => ({
  day: dayOf(used.at),
  agent,
  channel,
  model: used.model,
  turns: used.turns,
  failed: used.failed,
  calls: 1,
  input: used.input,
  output: used.output,
  cacheRead: used.cacheRead,
  cacheWrite: used.cacheWrite,
  cost: used.cost ?? 0,
  priced: used.cost === undefined ? 0 : 1,
  latency: used.latency ?? noLatency(),
});
