/** Runs the gateway as a process: one instance per state directory, restarts in place, ends cleanly on signals. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createSignalGate, type SignalGate } from './app/restart.ts';
import { runOnce, type Instance, type RunOptions, type StopRequest } from './app/run-once.ts';
import { reExec } from './platform/re-exec.ts';
import { welcome } from './gateway/welcome.ts';
import { asAppError } from './core/errors.ts';
import { PRODUCT_LABEL } from './core/product.ts';
import { acquireGatewayLock } from './gateway/lock.ts';
import { systemClock } from './platform/clock.ts';
import { readEnv, type Env } from './platform/env.ts';
import { releaseMemory } from './platform/release-memory.ts';
import { redactText } from './platform/redact.ts';
import { configPath } from './config/config-path.ts';
import { present } from './core/present.ts';

export interface GatewayRunOptions {
  readonly port?: number;
  readonly bind?: string;
  readonly token?: string;
  readonly verbose: boolean;
}

/** `dist/app.js` and `src/app.ts` are both one below the package. */
const ROOT = join(import.meta.dirname, '..');

const version = (): string =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;

/** Resolves with the exit code. */
export async function runGateway(options: GatewayRunOptions): Promise<number> {
  const gate = createSignalGate(systemClock);
  const now: Now = { obeys: () => 'begins' };
  // before anybody can know our process id: without a listener Node answers SIGUSR1 by opening its debugger
  const signals = listenToSignals(now);
  process.on('uncaughtException', crash);
  process.umask(0o077); // databases and sockets included: what we create is ours alone
  try {
    const env = readEnv();
    const ended = await live({ options, env, gate, signals, now });
    return ended === 'anew'
      ? await reExec({
          execPath: process.execPath,
          args: [...process.execArgv, ...process.argv.slice(1)],
          vars: env.vars,
        })
      : ended;
  } catch (error) {
    process.stderr.write(`${PRODUCT_LABEL} could not run: ${redactText(asAppError(error).message)}\n`);
    return 1;
  }
}

/**
 * A fault nobody expected ends the process as it would anyway; what it says may hold anything, and is kept by whoever
 * reads our output.
 */
function crash(error: unknown): never {
  process.stderr.write(`${PRODUCT_LABEL} crashed: ${redactText(inspect(error))}\n`);
  process.exit(1);
}

interface Living {
  readonly options: GatewayRunOptions;
  readonly env: Env;
  readonly gate: SignalGate;
  readonly signals: { next(): Promise<StopRequest> };
  readonly now: Now;
}

/** One run after the other, until an exit code or new code ends them; the lock is free again then. */
async function live({ options: runOptions, env, gate, signals, now }: Living): Promise<number | 'anew'> {
  const clock = systemClock;
  const options: RunOptions = {
    ...runOptions,
    env,
    clock,
    version: version(),
    root: ROOT,
    stdout: process.stderr,
    authoriseSignal: gate.authorise,
  };
  using _memory = releaseMemory(clock);
  await using lock = await acquireGatewayLock({ stateDir: env.stateDir, configPath: await configPath(env), clock });
  let instance: Instance | undefined;
  for (;;) {
    instance = await runOnce({
      ...options,
      lock,
      ...present({ port: instance && (options.port ?? env.gatewayPort) === 0 ? instance.port : undefined }),
    }); // a port the system chose stays
    const { config } = instance;
    now.obeys = () => (gate.take() || config.current().commands.restart === true ? 'yes' : 'no');
    process.stdout.write(`${welcome(instance, { stateDir: env.stateDir, terminal: process.stdout.isTTY })}\n`);
    const why = await Promise.race([instance.stopRequest, signals.next()]);
    const fresh = gate.clear() || why.fresh; // what was planned happens now, whoever asked for it
    now.obeys = () => 'begins';
    process.stdout.write(why.restart ? `Restarting: ${why.reason}\n` : `Stopping: ${why.reason}\n`);
    await instance.close(why.reason, why.restart ? { restartExpectedMs: 1500 } : {});
    if (!why.restart) return 0;
    if (fresh) return 'anew';
  }
}

/** Whether a signal may restart the current run; `begins`: a new run is about to begin anyway. */
interface Now {
  obeys(): 'yes' | 'no' | 'begins';
}

/**
 * SIGTERM and SIGINT end the gateway, a second one at once. SIGUSR1 and SIGHUP restart it in place, in the place of a
 * restart that was
 * planned or where `commands.restart` is true: an agent's own command could send them too.
 */
function listenToSignals(now: Now): { next(): Promise<StopRequest> } {
  let stopRequest = Promise.withResolvers<StopRequest>();
  let ending: StopRequest | undefined;
  const end = (signal: NodeJS.Signals): void => {
    if (ending) process.exit(130);
    ending = { restart: false, reason: signal };
    stopRequest.resolve(ending);
  };
  const restart = (signal: NodeJS.Signals): void => {
    const answer = now.obeys();
    if (answer === 'yes') stopRequest.resolve({ restart: true, reason: signal });
    else if (answer === 'no')
      process.stdout.write(
        `Ignored ${signal}: no restart is planned. Set commands.restart to true to allow it at any time.\n`,
      );
  };
  process.on('SIGTERM', end).on('SIGINT', end);
  process.on('SIGUSR1', restart).on('SIGHUP', restart);
  return {
    async next() {
      const request = ending ?? (await stopRequest.promise); // an end wins over a later restart
      if (request.restart) stopRequest = Promise.withResolvers<StopRequest>();
      return request;
    },
  };
}
