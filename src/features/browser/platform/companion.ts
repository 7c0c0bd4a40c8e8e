/**
 * A program that runs beside the gateway for as long as it is needed: started in a group of its own, and ended whole.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { keepTail } from '../../../platform/child-output.ts';
import { whyNotStarted } from '../../../platform/find-program.ts';
import { settlesWithin } from '../../../platform/timeout.ts';
import { errnoOf } from '../../../platform/storage-error.ts';
import { birthOf } from './birth.ts';

/** What to start. */
export interface CompanionRequest {
  /** A path. Never a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A running program. */
export interface Companion {
  readonly pid: number;
  /** With the number it names this process and no later one. */
  readonly birth: string;
  /** Resolves with what it came to. */
  readonly exited: Promise<{ readonly code: number | null; readonly signalName: string | null }>;
  readonly running: boolean;
  /** The last of what it wrote to its standard error. */
  said(): string;
  /** Asks its group to end, and ends it after `graceMs`. Resolves when it is gone. */
  end(graceMs: number): Promise<void>;
}

const MAX_SAID = 8 * 1024;
/** Milliseconds after SIGKILL in which a process is gone, or never will be. */
const GIVE_UP_MS = 2000;

/** Rejects with `AppError('unavailable')` where it cannot be started. */
export async function startCompanion({ command, args, env, cwd }: CompanionRequest): Promise<Companion> {
  const child = await new Promise<ChildProcess>((resolve, reject) => {
    const begun = spawn(command, args, {
      env,
      ...present({ cwd }),
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    begun.once('spawn', () => resolve(begun)).once('error', reject);
  }).catch(async (error: unknown) => {
    if (errnoOf(error) === undefined) throw error;
    const why = await whyNotStarted(error, { command, env, ...present({ cwd }) });
    throw new AppError('unavailable', `${why[0]!.toUpperCase()}${why.slice(1)}.`, { cause: error });
  });
  const state = { running: true };
  const ended = Promise.withResolvers<{ readonly code: number | null; readonly signalName: string | null }>();
  child.once('exit', (code, signalName) => {
    state.running = false;
    ended.resolve({ code, signalName });
  });
  child.on('error', () => undefined); // a signal that could not be sent
  const said = keepTail(child.stderr!, MAX_SAID);
  // The gateway does not stay for its sake.
  child.unref();
  (child.stderr as unknown as { unref?: () => void }).unref?.();
  return {
    pid: child.pid!,
    birth: (await birthOf(child.pid!)) ?? '',
    exited: ended.promise,
    get running() {
      return state.running;
    },
    said,
    async end(graceMs) {
      if (state.running && graceMs > 0) {
        signalGroup(child, 'SIGTERM');
        await settlesWithin(ended.promise, graceMs);
      }
      // What the program left behind in its group goes too.
      signalGroup(child, 'SIGKILL');
      await settlesWithin(ended.promise, GIVE_UP_MS);
    },
  };
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
