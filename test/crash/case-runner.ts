/**
 * Runs crash cases in a chain: the process that recovers after one case is killed by the next, so that a chain starts
 * only one process more than it has cases.
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../src/testing/until.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { openRows, queryJournal } from './journal.ts';
import { start, stop, type Running } from './scenario.ts';

export interface CrashCase {
  readonly home: string;
  readonly fixture: Fixture;
  /** Counts the cases of this gateway from 1: messages and files of a case carry it, so that cases are told apart. */
  readonly nth: number;
  /** The process that runs now. */
  current(): Running;
  /** Once the gateway is idle: the n-th time of `checkpoint:n` from then on kills the process. */
  arm(checkpoint: string): Promise<void>;
  /** Starts the gateway again after a kill. `fatal`: the checkpoint, counted from its start, that kills it; `-`: none. */
  again(fatal?: string): Promise<Running>;
}

export interface CaseRunner extends AsyncDisposable {
  /** Runs one case. After a failure the next case starts with a fresh gateway. */
  run<T>(one: (state: CrashCase) => Promise<T>): Promise<T>;
}

/** A process that died or hangs never answers. */
const ARM_TIMEOUT_MS = 60_000;

/** `configure` writes the text of the configuration. */
export function createCaseRunner(configure: (home: string, fixture: Fixture) => string | Promise<string>): CaseRunner {
  let state: { home: string; fixture: Fixture; running: Running; cases: number } | undefined;

  async function begin(): Promise<NonNullable<typeof state>> {
    const home = await mkdtemp(join(tmpdir(), 'clawdbot-crash-'));
    const fixture = await createFixture();
    await writeFile(join(home, 'clawdbot.json'), await configure(home, fixture));
    return { home, fixture, running: await start(home, fixture, '-'), cases: 0 };
  }

  async function end(): Promise<void> {
    const ended = state;
    state = undefined;
    if (!ended) return;
    await stop(ended.running);
    await ended.fixture.close();
    await rm(ended.home, { recursive: true, force: true, maxRetries: 5 });
  }

  return {
    async run(one) {
      const now = (state ??= await begin());
      const { home, fixture } = now;
      try {
        return await one({
          home,
          fixture,
          nth: ++now.cases,
          current: () => now.running,
          async arm(checkpoint) {
            await until(() => isAtRest(home), 'the end of the case before');
            const armed = once(now.running.child, 'message', { signal: AbortSignal.timeout(ARM_TIMEOUT_MS) });
            now.running.child.send(checkpoint);
            await armed;
          },
          async again(fatal = '-') {
            now.running = await start(home, fixture, fatal);
            return now.running;
          },
        });
      } catch (error) {
        await end();
        throw error;
      }
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Nothing is open, and the lines of all turns are in their transcripts. */
const isAtRest = (home: string): boolean =>
  openRows(home) === 0 && queryJournal(home, 'SELECT 1 FROM turn_open').length === 0;
