/** A gateway reduced to background processes, in a separate process that a test can kill. */
import { specOf } from './processes-harness.ts';
import { createProcesses } from '../features/exec/processes/create-processes.ts';
import { silentLog } from '../core/log.ts';
import { systemClock } from '../platform/clock.ts';

const [, , dir, ...commands] = process.argv;
const registry = createProcesses({
  dir: dir!,
  clock: systemClock,
  log: silentLog,
  cleanupMs: () => 1_800_000,
  ownerExists: () => true,
  onExit: () => new Promise(() => undefined),
});
const ids: string[] = [];
for (const command of commands) {
  const [, how, text] = /^(\w+):(.*)$/s.exec(command)!;
  const owner = { ...specOf('').owner, agentId: how === 'orphan' ? 'gone' : 'main' };
  const started = await registry.start(specOf(text!, { owner, pty: how === 'pty' }));
  if ('problem' in started) throw new Error(started.problem);
  if (how !== 'foreground') await started.toBackground();
  ids.push(started.id);
}
process.stdout.write(`${JSON.stringify(ids)}\n`);
