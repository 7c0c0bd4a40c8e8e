/** Whatever happens in whatever order, occurrences are run once, within the limit, and none is forgotten (P8). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { CronOutcome, CronSchedule } from '../cron-job.ts';
import { createSchedulerModel, type SchedulerModel } from './harness.ts';
import { loadSchedules } from '../schedule/schedules.ts';
import type { StoredJob } from '../store/entry.ts';

const NOON = Date.UTC(2026, 0, 15, 12);
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const SETTINGS = { enabled: true, maxRuns: 2, missed: { policy: 'once', maxAgeMs: DAY } } as const;
/** Sequences that are tried, of each kind. */
const [STEADY, WITH_CLOCKS] = process.env['TEST_MATRICES'] === 'full' ? [600, 300] : [60, 30];
const schedules = await loadSchedules({ hostZone: 'UTC' });

type Written = CronSchedule | { readonly kind: 'in'; readonly minutes: number };

/** Something that happens to the scheduler. */
type Command =
  | { readonly do: 'change'; readonly id: string; readonly schedule: Written; readonly more: Partial<StoredJob> }
  | { readonly do: 'remove'; readonly id: string }
  | { readonly do: 'ask'; readonly id: string; readonly mode: 'due' | 'force' }
  | { readonly do: 'pass' | 'setClock'; readonly ms: number }
  | { readonly do: 'settle'; readonly nth: number; readonly fails: boolean }
  | { readonly do: 'end'; readonly nth: number; readonly outcome: CronOutcome }
  | { readonly do: 'configure'; readonly settings: { readonly enabled: boolean; readonly maxRuns: number } }
  | { readonly do: 'kill' };

function apply(model: SchedulerModel, command: Command): void {
  switch (command.do) {
    case 'change':
      return model.change(jobOf(command, model.now()));
    case 'remove':
      return model.remove(command.id);
    case 'ask':
      return model.ask(command.id, command.mode);
    case 'pass':
      return model.pass(command.ms);
    case 'setClock':
      return model.setClock(command.ms);
    case 'settle':
      return model.settle(command.nth, command.fails);
    case 'end':
      return model.end(command.nth, command.outcome);
    case 'configure':
      return model.configure(command.settings);
    case 'kill':
      return model.kill();
  }
}

const jobOf = ({ id, schedule, more }: Extract<Command, { do: 'change' }>, nowMs: number): StoredJob => ({
  id,
  name: id,
  enabled: true,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
  schedule: schedule.kind === 'in' ? { kind: 'at', atMs: nowMs + schedule.minutes * MINUTE } : schedule,
  sessionTarget: 'isolated',
  wakeMode: 'now',
  payload: { kind: 'agentTurn', message: 'look' },
  ...more,
});

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const schedule: fc.Arbitrary<Written> = fc.oneof(
  fc.integer({ min: 1, max: 90 }).map((minutes): Written => ({ kind: 'every', everyMs: minutes * MINUTE })),
  fc.integer({ min: 0, max: 240 }).map((minutes): Written => ({ kind: 'in', minutes })),
  fc.constantFrom('*/15 * * * *', '0 * * * *').map((expr): Written => ({ kind: 'cron', expr, staggerMs: 5 * MINUTE })),
);
const more: fc.Arbitrary<Partial<StoredJob>> = fc.constantFrom<Partial<StoredJob>>(
  {},
  { deleteAfterRun: true },
  { enabled: false },
  ...(['once', 'skip', 'all'] as const).map((policy) => ({ missed: { policy } })),
  { missed: { policy: 'all', maxAgeMs: 2 * HOUR } },
);
const outcome: fc.Arbitrary<CronOutcome> = fc.constantFrom<CronOutcome>(
  { status: 'ok' },
  { status: 'ok' },
  { status: 'error', error: 'no' },
  { status: 'error', error: 'no', permanent: true },
  { status: 'skipped', error: 'busy' },
);
const passes = fc.constantFrom(1, SECOND, 20 * SECOND, MINUTE, 10 * MINUTE, HOUR, 5 * HOUR);
const nth = fc.nat(9);
const are = <Name extends Command['do']>(name: Name) => fc.constant(name);

const usual: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: are('change'), id: ids, schedule, more }) },
  { weight: 6, arbitrary: fc.record({ do: are('pass'), ms: passes }) },
  { weight: 8, arbitrary: fc.record({ do: are('settle'), nth, fails: fc.nat(9).map((chance) => chance === 1) }) },
  { weight: 6, arbitrary: fc.record({ do: are('end'), nth, outcome }) },
  { weight: 1, arbitrary: fc.record({ do: are('remove'), id: ids }) },
  { weight: 1, arbitrary: fc.record({ do: are('ask'), id: ids, mode: fc.constantFrom('due', 'force') }) },
  { weight: 1, arbitrary: fc.record({ do: are('kill') }) },
  { weight: 1, arbitrary: fc.record({ do: are('setClock'), ms: fc.constantFrom(HOUR, DAY, 3 * DAY) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: are('configure'),
      settings: fc.record({ enabled: fc.boolean(), maxRuns: fc.integer({ min: 1, max: 4 }) }),
    }),
  },
);
const setBack: fc.Arbitrary<Command> = fc.record({
  do: are('setClock'),
  ms: fc.constantFrom(-2 * SECOND, -HOUR, -400 * DAY),
});
const steadily = fc.array(usual, { minLength: 1, maxLength: 100, size: 'max' });
const withClocks = fc.array(fc.oneof({ weight: 9, arbitrary: usual }, setBack), {
  minLength: 1,
  maxLength: 100,
  size: 'max',
});

function begin(): SchedulerModel {
  const model = createSchedulerModel({ schedules, startMs: NOON, settings: SETTINGS });
  model.start();
  return model;
}

/** Everything that is being written is written, every run ends well, and time goes on for a while. */
function settle(model: SchedulerModel): void {
  model.configure({ enabled: true, maxRuns: 4 });
  for (let turns = 0; turns < 2000; turns++) {
    while (model.writing() > 0) model.settle(0);
    if (model.running().length > 0) model.end(0, { status: 'ok' });
    else if (model.owed().length === 0) return;
    else model.pass(5 * SECOND);
  }
}

describe('the scheduler under any sequence of events', () => {
  it('claims each occurrence once, keeps to the limit, and forgets none', () => {
    fc.assert(
      fc.property(steadily, (commands) => {
        const model = begin();
        for (const command of commands) apply(model, command);
        settle(model);
        assert.deepEqual(model.owed(), [], 'nothing is owed when time goes on');
        assert.ok(
          [...model.ledger.values()].every(({ state }) => state !== 'running'),
          'every run has its end',
        );
      }),
      { numRuns: STEADY },
    );
  });

  it('begins nothing twice and keeps its timer while the clock is set back and forth', () => {
    fc.assert(
      fc.property(withClocks, (commands) => {
        const model = begin();
        for (const command of commands) apply(model, command);
        settle(model);
        assert.deepEqual(model.owed(), []);
      }),
      { numRuns: WITH_CLOCKS },
    );
  });
});
