/** The newest message of every chat and thread in use, kept across restarts; catch-up starts there. */
import { createDelayedWriter, setNewest, type Log, present } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';
import { millisOf, microsOf, recordOf } from './answer.ts';

export interface Spot {
  readonly channel: string;
  readonly thread?: string;
}
export interface Mark extends Spot {
  readonly ts: string;
}

export interface Seen extends AsyncDisposable {
  note(spot: Spot, ts: string): void;
  /** The latest used first. */
  marks(): readonly Mark[];
}

const FILE = 'seen.json';
const KEPT = 100;
const WRITE_AFTER_MS = 500;

export async function createSeen({ stateDir, log }: { readonly stateDir: string; readonly log: Log }): Promise<Seen> {
  const marks = new Map<string, string>(
    Object.entries(recordOf(await readState(stateDir, FILE)))
      .filter((entry): entry is [string, string] => millisOf(entry[1]) !== undefined)
      .slice(-KEPT),
  );
  /** A mark that is lost costs a second look, never a message. */
  const writer = createDelayedWriter({
    write: () => writeState(stateDir, FILE, Object.fromEntries(marks)),
    delayMs: WRITE_AFTER_MS,
    failed: (error) => log.warn('slack.seen', { reason: error instanceof Error ? error.message : 'unknown' }),
  });
  return {
    note({ channel, thread }, ts) {
      const key = thread ? `${channel}:${thread}` : channel;
      const before = marks.get(key);
      if (millisOf(ts) === undefined || (before !== undefined && microsOf(before) >= microsOf(ts))) return;
      setNewest(marks, key, ts, KEPT);
      writer.changed();
    },
    marks: () => Array.from(marks, ([key, ts]) => ({ ...spotOf(key), ts })).reverse(),
    [Symbol.asyncDispose]: writer.flush,
  };
}

function spotOf(key: string): Spot {
  const [channel = '', thread] = key.split(':');
  return present({ channel, thread: thread || undefined });
}
