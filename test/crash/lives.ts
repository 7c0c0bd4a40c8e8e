/**
 * Lives that outlast their case: the one in which a case comes to rest after its crash is the one that the next case
 * ends. A chain of cases starts one process more than it has cases.
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJournal } from '../../src/testing/read-journal.ts';
import { until } from '../../src/testing/until.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { openRows, start, stop, type Running } from './scenario.ts';

export interface World {
  readonly home: string;
  readonly fixture: Fixture;
  /** Of this world, from 1: what a case says and makes is named by it, so that no other's is taken for it. */
  readonly nth: number;
  /** The one that runs. */
  life(): Running;
  /** From when all is at rest, not from its start, the n-th time of `moment:n` ends the life that runs. */
  arm(checkpoint: string): Promise<void>;
  /** After a death. `fatal`: the moment, counted from its start, that ends the new one; `-`: it lives. */
  again(fatal?: string): Promise<Running>;
}

export interface Lives extends AsyncDisposable {
  /** Runs one case. What fails leaves nothing behind: the next case begins in a world of its own. */
  run<T>(one: (world: World) => Promise<T>): Promise<T>;
}

/** `configure` writes the text of the configuration. */
export function createLives(configure: (home: string, fixture: Fixture) => string | Promise<string>): Lives {
  let world: { home: string; fixture: Fixture; running: Running; cases: number } | undefined;

  async function begin(): Promise<NonNullable<typeof world>> {
    const home = await mkdtemp(join(tmpdir(), 'clawdbot-crash-'));
    const fixture = await createFixture();
    await writeFile(join(home, 'clawdbot.json'), await configure(home, fixture));
    return { home, fixture, running: await start(home, fixture, '-'), cases: 0 };
  }

  async function end(): Promise<void> {
    const ended = world;
    world = undefined;
    if (!ended) return;
    await stop(ended.running);
    await ended.fixture.close();
    await rm(ended.home, { recursive: true, force: true, maxRetries: 5 });
  }

  return {
    async run(one) {
      const now = (world ??= await begin());
      const { home, fixture } = now;
      try {
        return await one({
          home,
          fixture,
          nth: ++now.cases,
          life: () => now.running,
          async arm(checkpoint) {
            await until(() => isAtRest(home), 'the end of the case before');
            const armed = once(now.running.child, 'message');
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
  openRows(home) === 0 &&
  readJournal(home, (db) => db.prepare('SELECT 1 FROM turn WHERE settled = 0').all().length === 0);
