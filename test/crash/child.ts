/** The gateway of the crash tests: the real one, in its own process, that kills itself (SIGKILL) at a named checkpoint. */
import { join } from 'node:path';
import { runOnce } from '../../src/app/run-once.ts';
import { acquireGatewayLock } from '../../src/gateway/lock.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readEnv } from '../../src/platform/env.ts';

/** `checkpoint:n`: die the n-th time this checkpoint is reached; `-`: run on. Whoever started it may name another while it runs. */
const fate = { fatal: process.argv[2] ?? '-' };
const seen = new Map<string, number>();
process.on('message', (fatal: string) => {
  fate.fatal = fatal;
  seen.clear();
  process.send!('armed');
});
// Who started it is gone: nobody would ever end it.
process.on('disconnect', () => process.exit(1));

const env = readEnv();
await using lock = await acquireGatewayLock({
  stateDir: env.stateDir,
  configPath: join(env.stateDir, 'clawdbot.json'),
  clock: systemClock,
});
const instance = await runOnce({
  env,
  clock: systemClock,
  lock,
  port: 0,
  version: 'crash',
  root: join(import.meta.dirname, '..', '..'),
  checkpoint(checkpoint) {
    const times = (seen.get(checkpoint) ?? 0) + 1;
    seen.set(checkpoint, times);
    const [fatal, nth = '1'] = fate.fatal.split(':');
    if (checkpoint === fatal && times === Number(nth)) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(`ready ${JSON.stringify({ port: instance.port, token: instance.token })}\n`);
await new Promise<void>((resolve) => process.once('SIGTERM', () => resolve()));
await instance.close('SIGTERM', { graceMs: 0 });
process.exit(0);
