/**
 * A gateway that is killed before or after any write of the ledger: every instant still runs, none twice, and nothing
 * that was taken back returns.
 */
import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cronRunId, type CronOutcome } from './cron-job.ts';
import { silentLog } from '../../core/log.ts';
import { canonicalSessionKey } from '../../core/session-key.ts';
import { CRON_TABLES } from './ledger-tables.ts';
import { createJournal } from '../../journal/create-journal.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Clock } from '../../platform/clock.ts';
import { HOUR, MINUTE, NOON, TEXT } from './harness.ts';
import { createFakeClock, type FakeClock } from '../../testing/fake-clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { cronConfigSchema } from './config.ts';
import { createCron, type Cron } from './create-cron.ts';
import type { CronLedger } from './ledger.ts';
import { instantDisk } from '../../testing/instant-disk.ts';

/** Where a run of the gateway ends: before or after its nth write; or it does not. */
interface Kill {
  readonly atWrite: number;
  readonly when: 'before' | 'after';
  /** Only those are counted. */
  readonly of?: 'claims';
}

/**
 * What outlives a gateway: disk, clock, and the turns of the journal, which are begun once per run id and end when they
 * like.
 */
interface Fixture {
  /** Of the current run; what a killed run had not finished is dropped. */ dir: string;
  instances: number;
  readonly journal: Journal;
  readonly clock: FakeClock;
  readonly turns: Map<string, { slotMs: number; name: string; outcome: CronOutcome }>;
  readonly notices: Set<string>;
}

const never = (): Promise<never> => new Promise(() => {});

function instance(fixture: Fixture, kill?: Kill) {
  const state = { writes: 0, dead: false, spared: false };
  const clock: Clock = {
    ...fixture.clock,
    setTimeout: (run, ms) =>
      fixture.clock.setTimeout(() => {
        if (!state.dead) run();
      }, ms),
    setInterval: (run, ms) =>
      fixture.clock.setInterval(() => {
        if (!state.dead) run();
      }, ms),
  };
  async function write<T>(work: () => Promise<T>, isClaim = false): Promise<T> {
    if (state.dead) return never();
    if (kill?.of !== 'claims' || isClaim) state.writes++;
    const isLast = state.writes === kill?.atWrite && !state.spared;
    if (isLast && kill.when === 'before') state.dead = true;
    if (state.dead) return never();
    const done = await work();
    if (isLast) state.dead = true;
    return state.dead ? never() : done;
  }
  const rows = fixture.journal.tables(CRON_TABLES);
  const ledger: CronLedger = {
    ...rows,
    commit: (change) => write(() => rows.commit(change), change.claim !== undefined),
    clearRedo: (redo) => write(() => rows.clearRedo(redo)),
  };
  const config = cronConfigSchema.parse({});
  const cron = createCron({
    path: join(fixture.dir, 'jobs.json'),
    ledger,
    clock,
    config: () => config,
    zones: { person: () => 'UTC', host: 'UTC' },
    log: silentLog,
    enabledByEnv: true,
    async run(job, run, signal) {
      if (state.dead) return never();
      const id = cronRunId(run);
      const outcome: CronOutcome =
        job.name === 'shaky' && run.attempt === 0
          ? { status: 'error', error: 'no' }
          : job.name === 'hopeless'
            ? { status: 'error', error: 'no', permanent: true }
            : { status: 'ok' };
      if (!fixture.turns.has(id)) fixture.turns.set(id, { slotMs: run.slotMs, name: job.name, outcome });
      await fixture.clock.sleep(2 * MINUTE, signal); // a kill may come while it runs
      return fixture.turns.get(id)!.outcome;
    },
    notify: async ({ id }) => void (state.dead ? await never() : fixture.notices.add(id)),
    problemOf: () => undefined,
    agentExists: () => true,
    canonicalKey: (key) => canonicalSessionKey(key),
  });
  return {
    cron,
    killed: () => state.dead,
    writes: () => state.writes,
    /** Nothing happens to it any more. */ spare: () => {
      state.spared = true;
    },
  };
}

/** The next run finds what was on disk at that moment. */
async function nextInstance(fixture: Fixture): Promise<ReturnType<typeof instance>> {
  const before = fixture.dir;
  fixture.dir = join(before, `run-${++fixture.instances}`);
  await mkdir(fixture.dir);
  for (const name of ['jobs.json', 'jobs.json.bak'])
    await copyFile(join(before, name), join(fixture.dir, name)).catch((error: NodeJS.ErrnoException) =>
      assert.equal(error.code, 'ENOENT'),
    );
  const next = instance(fixture);
  await next.cron.start();
  return next;
}

const JOBS = [
  {
    name: 'steady',
    schedule: { kind: 'every', everyMs: 10 * MINUTE, anchorMs: NOON + 10 * MINUTE },
    missed: { policy: 'all' },
    ...TEXT,
  },
  { name: 'shaky', schedule: { kind: 'cron', expr: '30 * * * *' }, ...TEXT },
  { name: 'once', schedule: { kind: 'at', atMs: NOON + 15 * MINUTE }, ...TEXT },
  { name: 'gone', schedule: { kind: 'at', atMs: NOON + 20 * MINUTE }, deleteAfterRun: true, ...TEXT },
  { name: 'hopeless', schedule: { kind: 'at', atMs: NOON + 25 * MINUTE }, ...TEXT },
  { name: 'taken back', schedule: { kind: 'at', atMs: NOON + 40 * MINUTE }, ...TEXT },
];

/** An hour of somebody's day, with the gateway killed once. Answers how many writes the first run made. */
async function day(kill?: Kill): Promise<{ readonly writes: number; readonly killed: boolean }> {
  await using dir = await tempDir('cron-crash');
  const clock = createFakeClock(NOON);
  const fixture: Fixture = {
    dir: dir.path,
    instances: 0,
    clock,
    turns: new Map(),
    notices: new Set(),
    journal: createJournal({
      ...instantDisk,
      path: join(dir.path, 'journal.sqlite'),
      now: () => clock.now(),
      tables: [CRON_TABLES],
    }),
  };
  const first = instance(fixture, kill);
  const state = { instance: first };
  const settle = async (ms = 0): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) await clock.advance(turn === 0 ? ms : 0);
  };

  /** False: the gateway died over it, and another one has begun. */
  async function survives(work: (cron: Cron) => Promise<unknown>): Promise<boolean> {
    const { cron, killed } = state.instance;
    const answer = { came: false };
    void work(cron).then(() => {
      answer.came = true;
    });
    while (!answer.came && !killed()) await settle();
    return isAlive();
  }
  async function isAlive(): Promise<boolean> {
    if (!state.instance.killed()) return true;
    state.instance = await nextInstance(fixture);
    return false;
  }
  const find = async (cron: Cron, name: string) =>
    (await cron.list({ includeDisabled: true })).jobs.find((job) => job.name === name);
  /** What a person wanted is asked for again when no answer came and it is not done. */
  async function ask(wanted: (cron: Cron) => Promise<unknown>): Promise<void> {
    while (!(await survives(wanted))) {
      /* once more */
    }
  }

  await survives((cron) => cron.start());
  for (const job of JOBS)
    await ask(async (cron) => {
      if (!(await find(cron, job.name))) await cron.add(job);
    });
  for (let minute = 0; minute < 60; minute++) {
    await settle(MINUTE);
    await isAlive();
    if (minute === 30)
      await ask(async (cron) => {
        const job = await find(cron, 'taken back');
        if (job) await cron.remove(job.id);
      });
  }
  first.spare();
  const made = { writes: first.writes(), killed: first.killed() };
  await check(fixture, state.instance.cron);
  await state.instance.cron.close();
  await fixture.journal.close();
  return made;
}

async function check(fixture: Fixture, cron: Cron): Promise<void> {
  const done = (name: string): number[] =>
    [...fixture.turns.values()]
      .filter((turn) => turn.name === name && turn.outcome.status === 'ok')
      .map(({ slotMs }) => (slotMs - NOON) / MINUTE)
      .sort((a, b) => a - b);
  assert.deepEqual(done('steady'), [10, 20, 30, 40, 50, 60].slice(0, done('steady').length), 'each once, in order');
  assert.ok(done('steady').length >= 5, 'none lost');
  assert.deepEqual(done('shaky'), [30], 'failed, tried again, went well');
  assert.deepEqual([done('once'), done('gone'), done('taken back')], [[15], [20], []]);
  assert.equal([...fixture.turns.values()].filter(({ name }) => name === 'hopeless').length, 1);
  assert.equal(fixture.notices.size, 1, 'told under one id');
  const { jobs } = await cron.list({ includeDisabled: true });
  assert.deepEqual(jobs.map(({ name, enabled }) => `${name}: ${enabled ? 'on' : 'off'}`).sort(), [
    'hopeless: off',
    'once: off',
    'shaky: on',
    'steady: on',
  ]);
  await cron.flush();
  const file = JSON.parse(await readFile(join(fixture.dir, 'jobs.json'), 'utf8')) as { jobs: { name: string }[] };
  assert.deepEqual(file.jobs.map(({ name }) => name).sort(), jobs.map(({ name }) => name).sort());
  assert.equal(
    (await fixture.journal.tables(CRON_TABLES).running()).filter(
      ({ startedAtMs }) => startedAtMs < fixture.clock.now() - 5 * MINUTE,
    ).length,
    0,
    'nothing hangs',
  );
}

describe('a gateway that is killed', () => {
  it('at no moment loses an instant or runs one twice', async () => {
    const { writes, killed } = await day();
    assert.ok(writes > 20 && !killed, `${writes} writes`);
    let kills = 0;
    for (let atWrite = 1; atWrite <= writes; atWrite++) {
      for (const when of ['before', 'after'] as const) {
        const end = await day({ atWrite, when }).catch((error: unknown) => {
          throw new Error(`Killed ${when} write ${atWrite}.`, { cause: error });
        });
        kills += Number(end.killed);
      }
    }
    // two changes of the file may be one the next time
    assert.ok(kills >= 2 * (writes - 3), `${kills} kills at ${writes} writes`);
  });

  it('for longer than its jobs may be late goes on with what it had begun, or says that it cannot', async () => {
    await using dir = await tempDir('cron-crash');
    const clock = createFakeClock(NOON);
    const fixture: Fixture = {
      dir: dir.path,
      instances: 0,
      clock,
      turns: new Map(),
      notices: new Set(),
      journal: createJournal({
        ...instantDisk,
        path: join(dir.path, 'journal.sqlite'),
        now: () => clock.now(),
        tables: [CRON_TABLES],
      }),
    };
    const first = instance(fixture, { atWrite: 1, when: 'after', of: 'claims' });
    await first.cron.start();
    const { id } = await first.cron.add({
      name: 'daily',
      schedule: { kind: 'every', everyMs: HOUR, anchorMs: NOON + HOUR },
      ...TEXT,
    });
    for (let turn = 0; turn < 5; turn++) await clock.advance(turn === 0 ? HOUR : 0);
    assert.deepEqual(
      [first.killed(), fixture.turns.size, (await fixture.journal.tables(CRON_TABLES).running()).length],
      [true, 0, 1],
      'claimed, not begun',
    );
    await clock.advance(40 * HOUR);
    const second = await nextInstance(fixture);
    for (let turn = 0; turn < 5; turn++) await clock.advance(0);
    assert.match(
      (await fixture.journal.tables(CRON_TABLES).ended({ jobId: id, limit: 10, status: 'error' })).runs[0]!.error!,
      /too late/,
    );
    await second.cron.close();
    await fixture.journal.close();
  });
});
