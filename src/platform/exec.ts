/** Runs a program from an argument list, in its own process group, with limited time and output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { present } from '../core/present.ts';
import { keepHead, keepTail } from './child-output.ts';
import { whyNotStarted } from './find-program.ts';

export { findProgram } from './find-program.ts';

/** A program to run to its end, its output in memory. */
export interface ExecRequest {
  /** A name found in `PATH` of `env`, or a path. Never a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly timeoutMs: number;
  /** Bytes of standard output; standard error keeps its last 8 KiB. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

/**
 * How it ended. In every case but `exited` the whole process group was killed; in that one whatever it left behind was.
 */
export type ExecResult = {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly ms: number;
} & (
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signalName: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too_much_output' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not_started'; readonly reason: string }
);

type Stopped = 'timeout' | 'too_much_output' | 'aborted';
interface Exit {
  readonly code: number | null;
  readonly signalName: string | null;
}

/** Milliseconds between asking the group to end and ending it, and between that and giving up on hearing about it. */
const GRACE_MS = 500;
/**
 * Milliseconds after the exit for what is still in the pipes; a grandchild that left the group may hold them open for
 * ever.
 */
const DRAIN_MS = 250;
const MAX_STDERR = 8 * 1024;
/** Longer timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Never rejects for what a program does. A process that leaves the group (`setsid`) is beyond reach; its pipes are not
 * waited for.
 */
export async function exec(request: ExecRequest): Promise<ExecResult> {
  const begun = performance.now();
  const nothing = { stdout: Buffer.alloc(0), stderr: '', ms: 0 };
  if (request.signal.aborted) return { ...nothing, kind: 'aborted' };
  const child = await start(request);
  if (typeof child === 'string')
    return { ...nothing, ms: performance.now() - begun, kind: 'not_started', reason: child };
  const ended = await attend(child, request);
  return { ...ended, ms: performance.now() - begun };
}

async function start({ command, args, env, cwd, input }: ExecRequest): Promise<ChildProcess | string> {
  try {
    return await new Promise<ChildProcess>((resolve, reject) => {
      const child = spawn(command, args, {
        env,
        ...present({ cwd }),
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      });
      child.once('spawn', () => resolve(child)).once('error', reject);
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return whyNotStarted(error, present({ command, env, cwd }));
  }
}

/** Feeds the child, watches the limits, and answers when it is gone. */
async function attend(
  child: ChildProcess,
  { input, timeoutMs, maxOutputBytes, signal }: ExecRequest,
): Promise<DistributiveOmit<ExecResult, 'ms'>> {
  const exit = Promise.withResolvers<Exit>();
  const ending = new Ending(child, () => exit.resolve({ code: null, signalName: 'SIGKILL' }));
  child.once('exit', (code, signalName) => exit.resolve({ code, signalName }));
  // Already running, so all this can tell is that a signal could not be sent; the timers go on.
  child.on('error', () => {});
  const stdout = keepHead(child.stdout!, maxOutputBytes, () => ending.begin('too_much_output'));
  const stderr = keepTail(child.stderr!, MAX_STDERR);
  // A program that does not read its input to the end is in its right.
  child.stdin?.on('error', () => {}).end(input);
  const timer = setTimeout(() => ending.begin('timeout'), Math.min(timeoutMs, MAX_TIMER_MS));
  const onAbort = (): void => ending.begin('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  const { code, signalName } = await exit.promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', onAbort);
  ending.finish();
  await drained(child);
  const output = { stdout: stdout(), stderr: stderr() };
  if (ending.why) return { ...output, kind: ending.why };
  return signalName === null
    ? { ...output, kind: 'exited', code: code ?? 0 }
    : { ...output, kind: 'signalled', signalName };
}

/** The end of a process group that has to go: asked first, then made. */
class Ending {
  why: Stopped | undefined;
  readonly #child: ChildProcess;
  readonly #giveUp: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess, giveUp: () => void) {
    this.#child = child;
    this.#giveUp = giveUp;
  }

  begin(why: Stopped): void {
    if (this.why) return;
    this.why = why;
    killGroup(this.#child, 'SIGTERM');
    this.#timer = setTimeout(() => {
      killGroup(this.#child, 'SIGKILL');
      this.#timer = setTimeout(this.#giveUp, GRACE_MS);
    }, GRACE_MS);
  }

  /** The program itself is gone: nothing of its group stays. */
  finish(): void {
    clearTimeout(this.#timer);
    killGroup(this.#child, 'SIGKILL');
  }
}

function killGroup(child: ChildProcess, signalName: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') return void child.kill(signalName);
  try {
    process.kill(-child.pid!, signalName);
  } catch (error) {
    // ESRCH: the group is empty. EPERM: what is left of it runs as somebody else (a setuid program).
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

async function drained(child: ChildProcess): Promise<void> {
  const closed = Promise.withResolvers<void>();
  const timer = setTimeout(closed.resolve, DRAIN_MS);
  child.once('close', () => closed.resolve());
  if (child.stdout!.closed && child.stderr!.closed) closed.resolve();
  await closed.promise;
  clearTimeout(timer);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
