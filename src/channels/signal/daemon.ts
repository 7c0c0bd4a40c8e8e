/**
 * Runs the signal-cli daemon: one left over from an earlier run is reused with its messages; one that does not start
 * says why.
 */
import {
  AppError,
  head,
  pause,
  startProgram,
  stopLeftover,
  ignoreOutcome,
  type Log,
  type Program,
  type ProgramEnd,
} from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';
import type { SignalConfig } from './config.ts';
import type { Rpc } from './rpc.ts';

export interface Daemon extends AsyncDisposable {
  /** Its events are numbered anew. */
  readonly fresh: boolean;
  /** Rejects when it ends by itself. */
  readonly ended: Promise<never>;
}

export interface DaemonDeps {
  readonly config: SignalConfig;
  readonly rpc: Rpc;
  readonly stateDir: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const FILE = 'daemon.json';
const POLL_MS = 200;
const INSTALL_FIX =
  'Install signal-cli (https://github.com/AsamK/signal-cli) and set channels.signal.cliPath, or run the daemon ' +
  'yourself and set channels.signal.httpUrl.';

export async function openDaemon(deps: DaemonDeps): Promise<Daemon> {
  const left = await leftover(deps);
  if (left) return left;
  const { config, log, stateDir } = deps;
  const program = await startProgram({ command: config.cliPath, args: argumentsOf(config) }).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('unavailable', `signal-cli does not start: ${error.message} ${INSTALL_FIX}`, { cause: error });
  });
  try {
    await writeState(stateDir, FILE, { pid: program.pid });
    await untilUp(program, deps);
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
  log.info('signal.daemon', { pid: program.pid });
  const stopping = new AbortController();
  const ended = program.ended.then(async (end) => {
    if (stopping.signal.aborted) return new Promise<never>(() => {});
    throw endError(end);
  });
  void ignoreOutcome(ended); // who connected looks at it
  return {
    fresh: true,
    ended,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await program[Symbol.asyncDispose]();
      await writeState(stateDir, FILE, {});
    },
  };
}

/** A gateway that was killed could not stop its daemon; what came since is there still. */
async function leftover({ config, rpc, stateDir, log, signal }: DaemonDeps): Promise<Daemon | undefined> {
  if (!(await rpc.isUp(signal))) return undefined;
  const { pid } = ((await readState(stateDir, FILE)) ?? {}) as { readonly pid?: unknown };
  log.info('signal.daemon.runs', { own: typeof pid === 'number' });
  return {
    fresh: false,
    ended: new Promise<never>(() => {}),
    async [Symbol.asyncDispose]() {
      if (typeof pid !== 'number') return;
      await stopLeftover(pid, markOf(config));
      await writeState(stateDir, FILE, {});
    },
  };
}

const markOf = ({ httpHost, httpPort }: SignalConfig): string => `daemon --http ${httpHost}:${httpPort}`;

function argumentsOf(config: SignalConfig): readonly string[] {
  return [
    '-a',
    config.account,
    ...markOf(config).split(' '),
    '--no-receive-stdout',
    '--receive-mode',
    config.receiveMode === 'manual' ? 'on-connection' : 'on-start',
    ...(config.ignoreAttachments ? ['--ignore-attachments'] : []),
    ...(config.ignoreStories ? ['--ignore-stories'] : []),
  ];
}

async function untilUp(program: Program, { config, rpc, signal }: DaemonDeps): Promise<void> {
  const late = AbortSignal.timeout(config.startupTimeoutMs);
  const either = AbortSignal.any([signal, late]);
  const over: { end?: ProgramEnd } = {};
  void program.ended.then((end) => (over.end = end));
  for (;;) {
    if (over.end) throw endError(over.end);
    if (signal.aborted) throw new AppError('aborted', 'The account was stopped while signal-cli came up.');
    if (late.aborted)
      throw new AppError(
        'timeout',
        `signal-cli runs, but does not answer within ${config.startupTimeoutMs / 1000} s. ` +
          `Another signal-cli may hold ` +
          'the account: stop it, or raise channels.signal.startupTimeoutMs.',
      );
    if (await isUp(rpc, either)) return;
    await pause(POLL_MS, either);
  }
}

/** A daemon that has just begun to listen may keep somebody waiting. */
async function isUp(rpc: Rpc, signal: AbortSignal): Promise<boolean> {
  try {
    return await rpc.isUp(signal);
  } catch (error) {
    if (error instanceof AppError && ['timeout', 'network', 'aborted'].includes(error.code)) return false;
    throw error;
  }
}

function endError({ code, signalName, lastLine }: ProgramEnd): AppError {
  const how = signalName === undefined ? `with code ${code}` : `by ${signalName}`;
  const said = lastLine.split('\n').filter(Boolean).slice(-3).join(' | ');
  const fix = /java|class file version|jre/i.test(said)
    ? ' signal-cli needs a newer Java (21 or later).'
    : /not registered|no such account|does not exist/i.test(said)
      ? ' Register or link the account first: see docs/channels/signal.md.'
      : ' It is started again.';
  return new AppError(
    'unavailable',
    `signal-cli ended ${how}${said ? `: ${head(said, 400)}` : ' without a word'}.${fix}`,
  );
}
