/** The time from spawn to ready, with an empty and with a used state directory, and the idle memory. */
import { restAndTurn, restBesideEmpty, startOnly } from '../measurements.mjs';
import { environment, timeProgram } from '../processes.mjs';
import { configure } from '../state-directories.mjs';

export async function startup({ plan, report, space, mock, repeat }) {
  const used = configure(space.make('used'), mock.port);
  await startOnly(used);
  const starts = await repeat('starts', plan.starts, async () => ({
    fresh: await startOnly(space.make('fresh')),
    used: await startOnly(used),
    empty: await timeProgram(['--eval', ''], environment(used)),
  }));
  report.add(
    'start to ready, fresh state',
    'ms',
    starts.map((start) => start.fresh),
    { atMost: 500 },
  );
  report.add(
    'start to ready, existing state',
    'ms',
    starts.map((start) => start.used),
    { atMost: 500 },
  );
  report.add(
    '  an empty Node process, start to exit',
    'ms',
    starts.map((start) => start.empty),
  );
  report.add(
    '  start to ready ÷ an empty Node process',
    '×',
    starts.map((start) => start.used / start.empty),
    { atMost: 6 },
  );

  const runs = await repeat('rests', plan.rests, () => restAndTurn(used, plan.idleMs));
  report.add(
    `idle memory (RSS) after ${plan.idleMs / 1000} s`,
    'MiB',
    runs.map((instance) => instance.idleMiB),
    { atMost: 110 },
  );
  const rest = await restBesideEmpty(used);
  report.add('  after a minute', 'MiB', [rest.gateway]);
  report.add('  after a minute ÷ an empty Node process after a minute', '×', [rest.gateway / rest.empty], {
    atMost: 1.7,
  });
  report.add(
    'the first turn of a run',
    'ms',
    runs.map((instance) => instance.firstTurnMs),
  );
  report.add(
    '  ÷ a warm turn',
    '×',
    runs.map((instance) => instance.firstTurnMs / instance.warmTurnMs),
    { atMost: 4 },
  );
  report.add(
    '  idle memory (RSS) after it',
    'MiB',
    runs.map((instance) => instance.usedMiB),
  );
}
