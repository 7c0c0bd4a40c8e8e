/** Spawn to ready, on an empty state directory and on one in use, and the memory of a gateway that has nothing to do. */
import { startAndRest, startOnly } from '../measurements.mjs';
import { environment, timeProgram } from '../processes.mjs';
import { configure } from '../state-directories.mjs';

export async function startup({ plan, report, space, mock, repeat }) {
  const used = configure(space.make('used'), mock.port);
  await startOnly(used);
  const runs = await repeat('starts', plan.starts, async () => ({
    fresh: await startOnly(space.make('fresh')),
    used: await startAndRest(used, plan.idleMs),
    empty: await timeProgram(['--eval', ''], environment(used)),
  }));
  report.add('start to ready, fresh state', 'ms', runs.map((run) => run.fresh), { atMost: 500 });
  report.add('start to ready, existing state', 'ms', runs.map((run) => run.used.readyMs), { atMost: 500 });
  report.add('  an empty Node process, start to exit', 'ms', runs.map((run) => run.empty));
  report.add(`idle memory (RSS) after ${plan.idleMs / 1000} s`, 'MiB', runs.map((run) => run.used.idleMiB), { atMost: 110 });
  report.add('the first turn of a life', 'ms', runs.map((run) => run.used.firstTurnMs));
  report.add('  idle memory (RSS) after it', 'MiB', runs.map((run) => run.used.usedMiB));
}
