/** A child program in its own process group, which ends as a whole. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { startTimeOf } from '../../../platform/process-identity.ts';
import { keepTail } from '../../../platform/child-output.ts';
import { whyNotStarted } from '../../../platform/find-program.ts';
import { errnoOf } from '../../../platform/storage-error.ts';
import { raceSignal, settlesWithin } from '../../../platform/timeout.ts';

/** A command to start. */
export interface ChildProgramRequest {
  /** The path of the program. It is never run through a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How a program ended. */
export interface ChildProgramExit {
  readonly code: number | null;
  readonly signalName: string | null;
}

/** A running program. */
export interface ChildProgram {
  readonly pid: number;
  /** The start time, which together with the process id identifies this process only. */
  readonly birth: string;
  readonly exited: Promise<ChildProgramExit>;
  readonly running: boolean;
  /** The end of its standard error output. */
  said(): string;
  /**
   * Resolves with the first match in its standard error output, or undefined if it ended without one. Rejects with the
   * reason of the signal.
   */
  says(pattern: RegExp, signal: AbortSignal): Promise<RegExpExecArray | undefined>;
  /** Asks its process group to exit, and kills it after `graceMs`. Resolves when it is gone. */
  end(graceMs: number): Promise<void>;
}

const MAX_SAID = 16 * 1024;
/** Milliseconds after SIGKILL in which a process ends, if it can end at all. */
const GIVE_UP_MS = 2000;

/** Rejects with `AppError('unavailable')` if it cannot be started. */
export async function startChildProgram(request: ChildProgramRequest): Promise<ChildProgram> {
  const child = await spawned(request);
  const ended = Promise.withResolvers<ChildProgramExit>();
  const state = { running: true };
  child.once('exit', (code, signalName) => {
    state.running = false;
    ended.resolve({ code, signalName });
  });
  child.on('error', () => undefined); // the signal could not be sent
  const output = child.stderr!;
  const said = keepTail(output, MAX_SAID);
  // The running program must not keep the gateway alive.
  child.unref();
  (output as unknown as { unref?: () => void }).unref?.();
  return {
    pid: child.pid!,
    birth: (await startTimeOf(child.pid!)) ?? '',
    exited: ended.promise,
    get running() {
      return state.running;
    },
    said,
    says: (pattern, signal) => raceSignal(firstMatch(output, { said, pattern, ended: ended.promise }), signal),
    async end(graceMs) {
      if (state.running && graceMs > 0) {
        signalGroup(child, 'SIGTERM');
        await settlesWithin(ended.promise, graceMs);
      }
      // Also ends processes that the program left in its group.
      signalGroup(child, 'SIGKILL');
      await settlesWithin(ended.promise, GIVE_UP_MS);
    },
  };
}

async function spawned({ command, args, env, cwd }: ChildProgramRequest): Promise<ChildProcess> {
  const begun = Promise.withResolvers<ChildProcess>();
  const child = spawn(command, args, {
    env,
    ...present({ cwd }),
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.once('spawn', () => begun.resolve(child)).once('error', begun.reject);
  return begun.promise.catch(async (error: unknown) => {
    if (errnoOf(error) === undefined) throw error;
    const why = await whyNotStarted(error, { command, env, ...present({ cwd }) });
    throw new AppError('unavailable', `${why[0]!.toUpperCase()}${why.slice(1)}.`, { cause: error });
  });
}

async function firstMatch(
  output: Readable,
  {
    said,
    pattern,
    ended,
  }: { readonly said: () => string; readonly pattern: RegExp; readonly ended: Promise<ChildProgramExit> },
): Promise<RegExpExecArray | undefined> {
  const found = Promise.withResolvers<RegExpExecArray | undefined>();
  const check = (): void => {
    const match = pattern.exec(said());
    if (match) found.resolve(match);
  };
  output.on('data', check);
  // The last output arrives before the pipe closes, which may be after the end of the process.
  void ended.then(() => setImmediate(() => found.resolve(pattern.exec(said()) ?? undefined)));
  check();
  try {
    return await found.promise;
  } finally {
    output.off('data', check);
  }
}

function signalGroup(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') return void child.kill(name);
  try {
    process.kill(-child.pid!, name);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
