/** What ten thousand jobs cost, and how late a job begins that is due while the gateway is busy. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpTurn, TOKEN } from '../../../bench/http-calls.mjs';
import { rssMiB } from '../../../bench/machine.mjs';
import { ROOT, startGateway } from '../../../bench/processes.mjs';
import { configure } from '../../../bench/state-directories.mjs';
import { medianOf, quantile, timed } from '../../../bench/statistics.mjs';

const JOBS = 10_000;
const BUSY_TURNS = 16;
const PERIOD_MS = 250;

export async function measure({ plan, report, space, mock, repeat, watch }) {
  await engine({ plan, report, space, repeat });
  await memory({ plan, report, space, mock, repeat });
  await lateness({ plan, report, space, mock, watch });
}

async function openLedger(dir) {
  const { createJournal } = await import(`${ROOT}src/journal/create-journal.ts`);
  const { CRON_TABLES } = await import(`${ROOT}src/features/cron/ledger-tables.ts`);
  const journal = createJournal({ path: join(dir, 'journal.sqlite'), tables: [CRON_TABLES] });
  return { journal, ledger: journal.tables(CRON_TABLES) };
}

/** The scheduler by itself, with its file and its ledger. */
async function engine({ plan, report, space, repeat }) {
  const { createCron } = await import(`${ROOT}src/features/cron/create-cron.ts`);
  const { cronConfigSchema } = await import(`${ROOT}src/features/cron/config.ts`);
  const { systemClock } = await import(`${ROOT}src/platform/clock.ts`);
  const { silentLog } = await import(`${ROOT}src/core/log.ts`);
  const rounds = await repeat('rounds with 10 000 jobs', plan.rests, async (round) => {
    const dir = fillJobs(space.make(`engine-${round}`), JOBS);
    const { journal, ledger } = await openLedger(dir);
    const config = cronConfigSchema.parse({});
    const made = createCron({
      path: join(dir, 'cron', 'jobs.json'),
      ledger,
      clock: systemClock,
      log: silentLog,
      config: () => config,
      zones: { person: () => 'Europe/Berlin', host: 'UTC' },
      enabledByEnv: true,
      run: async () => ({ status: 'ok' }),
      problemOf: () => undefined,
      notify: async () => {},
      agentExists: () => true,
      canonicalKey: (key) => key,
    });
    const loop = watchLoop();
    const load = await timed(() => made.start());
    const still = loop.longest();
    const status = await medianOf(50, () => timed(() => made.status()));
    const job = (name) => ({
      name,
      schedule: { kind: 'cron', expr: '0 9 * * 1-5', tz: 'Europe/Berlin' },
      payload: { kind: 'agentTurn', message: 'x' },
    });
    for (let nth = 0; nth < 20; nth++) await made.add(job(`warm ${nth}`));
    const add = await medianOf(40, (nth) => timed(() => made.add(job(`added ${nth}`))));
    // The same commit without anything around it.
    const sync = await medianOf(40, (nth) =>
      timed(() =>
        ledger.commit({ jobs: [{ jobId: `sync-${nth}`, job: JSON.stringify(job('x')), version: 1e9 + nth }] }),
      ),
    );
    const list = await medianOf(10, () => timed(() => made.list({ limit: 50 })));
    await made.close();
    await journal.close();
    return { load, still, status, add: add - sync, sync, list };
  });
  report.add(
    `${JOBS} jobs: read and armed`,
    'ms',
    rounds.map(({ load }) => load),
  );
  report.add(
    '  the longest the event loop stood still meanwhile',
    'ms',
    rounds.map(({ still }) => still),
    { atMost: 10 },
  );
  report.add(
    '  status with the next due instant',
    'ms',
    rounds.map(({ status }) => status),
    { atMost: 5 },
  );
  report.add(
    '  one more job, beside the sync',
    'ms',
    rounds.map(({ add }) => add),
    { atMost: 3 },
  );
  report.add(
    '  the sync',
    'ms',
    rounds.map(({ sync }) => sync),
  );
  report.add(
    '  a page of 50',
    'ms',
    rounds.map(({ list }) => list),
  );
}

/** The longest time between two turns of the event loop, from now until it is asked. */
function watchLoop() {
  const state = { last: performance.now(), longest: 0, watching: true };
  const sample = () => {
    const now = performance.now();
    state.longest = Math.max(state.longest, now - state.last);
    state.last = now;
    if (state.watching) setImmediate(sample);
  };
  setImmediate(sample);
  return {
    longest() {
      sample();
      state.watching = false;
      return state.longest;
    },
  };
}

/**
 * Two gateways, one with a single job: at rest, and after as many turns as make V8's young generation grow in both,
 * which reading the file does already.
 */
async function memory({ plan, report, space, mock, repeat }) {
  const grown = await repeat('rests with one job and with 10 000', plan.rests, async () => {
    const at = async (count) => {
      await using gateway = await startGateway(fillJobs(configure(space.make(`jobs-${count}`), mock.port), count));
      await sleep(plan.restMs);
      const fresh = rssMiB(gateway.pid);
      for (let nth = 0; nth < plan.warmUp; nth++) await httpTurn(gateway.port, `used-${nth % 20}`, 'ping');
      await sleep(plan.restMs);
      return { fresh, used: rssMiB(gateway.pid) };
    };
    const [many, one] = [await at(JOBS), await at(1)];
    return { fresh: many.fresh - one.fresh, used: many.used - one.used };
  });
  report.add(
    '  memory (RSS) above a gateway with one job, both in use',
    'MiB',
    grown.map(({ used }) => used),
    { atMost: 30 },
  );
  report.add(
    '  the same of gateways that only rest',
    'MiB',
    grown.map(({ fresh }) => fresh),
  );
}

/** Jobs that are due four times a second, while sixteen conversations take one turn after the other. */
async function lateness({ plan, report, space, mock, watch }) {
  const { connectGateway } = await import(`${ROOT}src/gateway/client.ts`);
  const dir = configure(space.make('due'), mock.port, {
    agents: { defaults: { model: { primary: 'mock/mock' }, maxConcurrent: BUSY_TURNS } },
  });
  await using gateway = await startGateway(dir);
  watch(gateway);
  const client = await connectGateway({ url: `ws://127.0.0.1:${gateway.port}`, token: TOKEN });
  const anchorMs = Math.ceil(Date.now() / 1000) * 1000;
  const job = await client.call('cron.add', {
    name: 'due',
    schedule: { kind: 'every', everyMs: PERIOD_MS, anchorMs },
    payload: { kind: 'agentTurn', message: 'ping' },
  });
  const busy = new AbortController();
  const workers = Array.from({ length: BUSY_TURNS }, async (_, worker) => {
    for (let nth = 0; !busy.signal.aborted; nth++) await httpTurn(gateway.port, `busy-${worker}-${nth % 4}`, 'ping');
  });
  await sleep(plan.busySeconds * 500 + 2000);
  busy.abort();
  await Promise.all(workers);
  await client.call('cron.update', { id: job.id, patch: { enabled: false } });
  const { entries } = await client.call('cron.runs', { id: job.id, limit: 200 });
  await client.close();
  // What came due while its run before was going on is not what is asked about.
  const late = entries
    .filter(
      ({ status, runAtMs, trigger }) =>
        status === 'ok' && runAtMs !== undefined && (trigger === undefined || trigger === 'schedule'),
    )
    .map(({ runAtMs }) => (runAtMs - anchorMs) % PERIOD_MS)
    .slice(2);
  report.add(`a job due while ${BUSY_TURNS} turns run: begun late by, p50`, 'ms', [quantile(late, 0.5)], {
    atMost: 25,
  });
  report.add('  p95', 'ms', [quantile(late, 0.95)]);
  report.add('  runs', '', [late.length]);
}

/** `jobs.json` with `count` jobs, one a line: half by expression in five zones, the others by period. */
function fillJobs(dir, count) {
  const folder = join(dir, 'cron');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Sydney', 'UTC'];
  const at = Date.now() - 60_000;
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      id: `bench-${index}`,
      name: `Job ${index}`,
      enabled: true,
      createdAtMs: at,
      updatedAtMs: at,
      schedule:
        index % 2 === 0
          ? { kind: 'cron', expr: `${index % 60} ${index % 24} * * *`, tz: zones[index % zones.length] }
          : { kind: 'every', everyMs: 86_400_000 + index, anchorMs: at + 3_600_000 + index },
      sessionTarget: 'isolated',
      wakeMode: 'next-heartbeat',
      payload: { kind: 'agentTurn', message: `Look whether number ${index} needs anything.` },
      missed: { policy: 'skip' },
      state: {},
    }),
  );
  writeFileSync(join(folder, 'jobs.json'), `{"version":1,"jobs":[\n${lines.join(',\n')}\n]}\n`, { mode: 0o600 });
  return dir;
}
