/** Sends lines of the log to the clients that follow it, as they are written. */
import type { Clock, Timer } from '../../platform/clock.ts';
import { statIfExists } from '../../platform/files.ts';
import { readNewLines, type NewLines } from '../log-lines.ts';
import type { LogFile } from '../services.ts';
import type { Hub } from './hub.ts';

/** Milliseconds in which what is written is collected: four events a second at most, however much is logged. */
const COLLECT_MS = 250;
/** A flood is cut to its end; `logs.tail` gives the rest to whoever wants it. */
const LIMITS = { bytes: 64 * 1024, lines: 500 };

export interface LogRelayDeps {
  readonly hub: Hub;
  readonly clock: Clock;
  /** Failures to read. It must not write to the file it follows. */
  failed(error: unknown): void;
}

/** Runs until disposed. Nothing is read while nobody follows. */
export function relayLog(log: LogFile, { hub, clock, failed }: LogRelayDeps): Disposable {
  let timer: Timer | undefined;
  let reading = false;
  let missed = false;
  let last: { readonly file: string; readonly cursor: number } | undefined;

  const followed = (): boolean => hub.connections().some(({ followsLog }) => followsLog);

  async function publish(): Promise<void> {
    const news = await newsSince(log.path(), last);
    if (!news) return;
    last = news;
    hub.publish('logs.lines', news, { to: ({ followsLog }) => followsLog, droppable: true });
  }

  function soon(): void {
    if (!followed()) {
      last = undefined;
      timer?.cancel();
      timer = undefined;
      return;
    }
    missed = reading;
    if (!timer && !reading) timer = clock.setTimeout(() => void read(), COLLECT_MS).unref();
  }

  async function read(): Promise<void> {
    timer = undefined;
    reading = true;
    try {
      await publish();
    } catch (error) {
      failed(error);
    }
    reading = false;
    if (missed) soon();
  }

  const stop = log.onWritten(soon);
  return {
    [Symbol.dispose]() {
      stop();
      timer?.cancel();
    },
  };
}

type News = Pick<NewLines, 'lines' | 'cursor' | 'truncated'> & { readonly file: string; readonly from: number };

/** Whoever begins to follow asks `logs.tail` for what was before; so without a known end there are no lines yet. */
async function newsSince(
  file: string,
  last: { readonly file: string; readonly cursor: number } | undefined,
): Promise<News | undefined> {
  const size = (await statIfExists(file))?.size;
  if (size === undefined) return undefined;
  if (last === undefined) return { file, from: size, cursor: size, lines: [], truncated: false };
  const from = last.file === file && last.cursor <= size ? last.cursor : 0;
  const { cursor, lines, truncated } = await readNewLines(file, { from, to: size, ...LIMITS });
  return cursor === from && last.file === file ? undefined : { file, from, cursor, lines, truncated };
}
