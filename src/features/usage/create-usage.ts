/**
 * Keeps the sums of usage up to date. All transcripts are looked through once in the life of the process, in the
 * background and only beyond what was read before; from then on those whose runs ended.
 */
import { present } from '../../core/present.ts';
import { pause } from '../../platform/pause.ts';
import type { UsageAnswers } from './answers.ts';
import type { UsageConfig } from './config.ts';
import { LATENCY_BOUNDS } from './latency.ts';
import { readTranscript, type ReadDeps, type Transcript } from './read-transcript.ts';

export interface Usage {
  report(days: number): Promise<UsageAnswers['usage.report']>;
  /** A run of this session ended. */
  ended(sessionKey: string): void;
  close(): Promise<void>;
}

export interface UsageDeps extends Omit<ReadDeps, 'signal'> {
  now(): number;
  zone(): string;
  settings(): UsageConfig;
  /** Every transcript there is. */
  all(): Promise<readonly Transcript[]>;
  /** Of a session as it is now; undefined: it has none. */
  of(sessionKey: string): Promise<Transcript | undefined>;
  changed(day: string): void;
  failed(error: unknown): void;
}

/** Whoever asks first is answered with what is there by then. Milliseconds. */
const WAIT_MS = 700;
/** Runs that end together are read together; by then their lines are on disk. */
const SOON_MS = 1500;
const DAY_MS = 24 * 3_600_000;

export function createUsage(deps: UsageDeps): Usage {
  const closing = new AbortController();
  const waiting = new Set<string>();
  const state: { all?: Promise<void>; done: number; total: number; finished: boolean; timer?: NodeJS.Timeout } = {
    done: 0,
    total: 0,
    finished: false,
  };
  const reading: ReadDeps = { ...deps, signal: closing.signal };
  const work: { last: Promise<unknown> } = { last: Promise.resolve() };
  /** One transcript at a time: two readings of the same would count it twice. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const next = work.last.then(task);
    work.last = next.catch(() => undefined);
    return next;
  };
  const announce = (): void => deps.changed(deps.dayOf(deps.now()));
  const quietly = async (task: () => Promise<unknown>): Promise<void> => {
    try {
      await task();
    } catch (error) {
      if (!closing.signal.aborted) deps.failed(error);
    }
  };

  async function readAll(): Promise<void> {
    const transcripts = await deps.all();
    state.total = transcripts.length;
    for (const transcript of transcripts) {
      if (closing.signal.aborted) return;
      await quietly(() => inTurn(() => readTranscript(transcript, reading)));
      state.done += 1;
    }
    state.finished = true;
    announce();
  }

  async function readWaiting(): Promise<boolean> {
    let found = false;
    for (const key of waiting) {
      waiting.delete(key);
      await quietly(async () => {
        const transcript = await deps.of(key);
        if (transcript && (await inTurn(() => readTranscript(transcript, reading)))) found = true;
      });
    }
    return found;
  }

  return {
    async report(days) {
      state.all ??= quietly(readAll);
      await Promise.race([state.all, pause(WAIT_MS, closing.signal)]);
      await readWaiting();
      const { done, total, finished } = state;
      return { ...(await summed(days, deps)), ...present({ reading: finished ? undefined : { done, total } }) };
    },

    ended(sessionKey) {
      waiting.add(sessionKey);
      state.timer ??= setTimeout(() => {
        delete state.timer;
        void readWaiting().then((found) => found && announce());
      }, SOON_MS).unref();
    },

    async close() {
      closing.abort();
      clearTimeout(state.timer);
      await Promise.all([state.all, work.last]);
    },
  };
}

async function summed(days: number, deps: UsageDeps): Promise<Omit<UsageAnswers['usage.report'], 'reading'>> {
  const now = deps.now();
  const from = deps.dayOf(now - (days - 1) * DAY_MS);
  const { dailyBudgetUsd, monthlyBudgetUsd } = deps.settings();
  return {
    zone: deps.zone(),
    today: deps.dayOf(now),
    from,
    rows: await deps.store.since(from),
    bounds: LATENCY_BOUNDS,
    budget: present({ dailyUsd: dailyBudgetUsd, monthlyUsd: monthlyBudgetUsd }),
  };
}
