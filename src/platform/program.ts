/** Runs a long-running program in its own process group: lines in, lines out, stopped as a group. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { AppError } from '../core/errors.ts';
import { childEnv } from './child-env.ts';
import { keepTail } from './child-output.ts';
import { readEnv } from './env.ts';
import { exec } from './exec.ts';
import { whyNotStarted } from './find-program.ts';
import { settlesWithin } from './timeout.ts';

/** A program to start. It gets the environment of this process without secrets. */
export interface ProgramRequest {
  /** A name found in `PATH`, or a path. Never a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** Names of variables it gets although they look like secrets, e.g. `SSH_AUTH_SOCK`. */
  readonly pass?: readonly string[];
  /** A whole line of its standard output, without the line feed. */
  onLine?(line: string): void;
  /** Bytes of one line; a longer one ends the program. Default: 32 MiB. */
  readonly maxLineBytes?: number;
}

/** How a program ended, and the last of what it wrote to standard error. */
export interface ProgramEnd {
  readonly code: number | undefined;
  readonly signalName: string | undefined;
  readonly lastLine: string;
}

/** A program that runs. Disposing it asks its group to end, makes it after `STOP_MS`, and waits for that. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** Writes a line to its standard input. False: it does not read any more. */
  write(line: string): boolean;
  /** Never rejects. */
  readonly ended: Promise<ProgramEnd>;
}

const MAX_LINE_BYTES = 32 * 1024 * 1024;
const MAX_LAST_WORDS = 4096;
const STOP_MS = 5000;
const LINE_FEED = 0x0a;

/** Resolves once it runs. Rejects with `AppError('unavailable')` that says why it does not. */
export async function startProgram(request: ProgramRequest): Promise<Program> {
  const { command, args, pass = [], onLine, maxLineBytes = MAX_LINE_BYTES } = request;
  const env = childEnv(readEnv().vars, { pass });
  const child = await started(command, args, env);
  const lastLine = keepTail(child.stderr!, MAX_LAST_WORDS);
  const end = Promise.withResolvers<ProgramEnd>();
  child.once('close', (code, signalName) => {
    end.resolve({ code: code ?? undefined, signalName: signalName ?? undefined, lastLine: lastLine().trim() });
  });
  child.on('error', () => undefined); // it runs already; how it ends is told by its close
  child.stdin!.on('error', () => undefined); // it need not read to the end
  readLines(child.stdout!, { maxLineBytes, onLine, tooLong: () => killGroup(child, 'SIGKILL') });
  return {
    pid: child.pid!,
    ended: end.promise,
    write: (line) => child.stdin!.writable && (child.stdin!.write(`${line}\n`), true),
    async [Symbol.asyncDispose]() {
      child.stdin!.end();
      killGroup(child, 'SIGTERM');
      if (!(await settlesWithin(end.promise, STOP_MS))) killGroup(child, 'SIGKILL');
      await settlesWithin(end.promise, STOP_MS);
      killGroup(child, 'SIGKILL'); // what it left behind
    },
  };
}

async function started(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  try {
    return await new Promise<ChildProcess>((resolve, reject) => {
      const child = spawn(command, args, {
        env,
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child.once('spawn', () => resolve(child)).once('error', reject);
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new AppError('unavailable', `${await whyNotStarted(error, { command, env })}.`, { cause: error });
  }
}

interface LineReading {
  readonly maxLineBytes: number;
  readonly onLine: ProgramRequest['onLine'];
  tooLong(): void;
}

function readLines(stream: Readable, { maxLineBytes, onLine, tooLong }: LineReading): void {
  let pieces: Buffer[] = [];
  let size = 0;
  stream.on('error', () => undefined); // the end of the program tells more
  stream.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      pieces.push(chunk.subarray(from, at));
      const line = Buffer.concat(pieces).toString('utf8');
      pieces = [];
      size = 0;
      from = at + 1;
      onLine?.(line.endsWith('\r') ? line.slice(0, -1) : line);
    }
    pieces.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size <= maxLineBytes) return;
    stream.removeAllListeners('data').resume();
    tooLong();
  });
}

function killGroup(child: ChildProcess, signalName: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') child.kill(signalName);
  else signalGroup(child.pid!, signalName);
}

function signalGroup(pid: number, signalName: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, signalName);
  } catch (error) {
    // ESRCH: the group is empty. EPERM: what is left of it runs as somebody else.
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

const PS_MS = 5000;

/**
 * Ends the group of a program that an earlier run of the gateway started and could not stop. Only where the process
 * with this id still has `mark` in its command line: ids are used again.
 */
export async function stopLeftover(pid: number, mark: string): Promise<boolean> {
  const result = await exec({
    command: 'ps',
    args: ['-p', String(pid), '-o', 'args='],
    env: childEnv(readEnv().vars),
    timeoutMs: PS_MS,
    maxOutputBytes: 64 * 1024,
    signal: AbortSignal.timeout(PS_MS),
  });
  if (result.kind !== 'exited' || !result.stdout.toString('utf8').includes(mark)) return false;
  signalGroup(pid, 'SIGTERM');
  return true;
}
