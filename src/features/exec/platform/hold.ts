/**
 * Starts commands that outlive us: a tiny shell around each waits for it and leaves its exit code in a file, both
 * streams go
 * straight into a file, and standard input is a named pipe somebody else can keep open.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { close, constants, open } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AppError } from '../../../core/errors.ts';
import { findProgram, whyNotStarted } from '../../../platform/find-program.ts';
import { errnoOf, onDisk } from '../../../platform/storage-error.ts';
import { besideModule } from '../../../platform/worker.ts';
import { inputOf, openInput, type InputPipe } from './input-pipe.ts';
import { MARK } from './process-table.ts';

/** A command that shall outlive this process. */
export interface HoldRequest {
  /** `argv[0]` is a path. */
  readonly argv: readonly [string, ...string[]];
  /** All the command sees, but for the mark. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly pty: boolean;
  readonly mark: string;
  readonly files: HoldFiles;
  /**
   * False: there is no named pipe. Then the command has no holder and no terminal: it may outlive us, but its input
   * ends with us and its code is lost.
   */
  readonly held: boolean;
}

/**
 * `out`, `in`, `ready` and `exit` of one folder, absolute. `input` is a named pipe; `ready` comes when the command has
 * it open, `exit` when it is gone: its code and a line feed.
 */
export interface HoldFiles {
  readonly output: string;
  readonly input: string;
  readonly ready: string;
  readonly exit: string;
}

/** A command that runs under its holder. */
export interface Held {
  /** Of the holder, which leads a session and a group of its own. */
  readonly pid: number;
  readonly input: InputPipe;
  /** Signals of the command's own come as the shell tells them, 128 + n. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** We may end before it does. */
  release(): void;
}

/**
 * The command is `"$@"`, the file for its code `$0`, its input the pipe beside that: the holder itself never has it
 * open. Traps
 * let the holder outlive a signal to its group, so that the code is kept; the command starts with the system's
 * dispositions all
 * the same. What the holder itself would say goes nowhere.
 */
const HOLDER = [
  'trap : HUP INT QUIT TERM USR1 USR2',
  '(exec <"${0%exit}in"; : >"${0%exit}ready"; exec "$@" 2>&1)',
  'code=$?',
  'echo "$code" >"$0"',
  'exit "$code"',
].join('\n');
/** A shell sets these by itself; a command sees what it was given. */
const SHELL_OWN = ['PWD', 'OLDPWD', 'SHLVL'];
const SHELL = '/bin/sh';
const openFile = promisify(open);
const closeFile = promisify(close);

/**
 * A sentence when it cannot be started. Rejects with `AppError('storage')`. Names no shell knows as variables (`a.b`)
 * are not handed on.
 */
export async function hold(request: HoldRequest): Promise<Held | { readonly problem: string }> {
  const { argv, cwd, env, files } = request;
  const [program, { output, input }] = await Promise.all([findProgram(argv[0], undefined), openFiles(request)]);
  try {
    if (program !== undefined) return await (input ? startHeld(request, output, input) : startUnheld(request, output));
  } catch (error) {
    await letGo(input);
    if (errnoOf(error) === undefined || error instanceof AppError) throw error;
    return { problem: sentence(await whyNotStarted(error, { command: SHELL, cwd, env: {} })) };
  } finally {
    await onDisk('close', files.output, () => closeFile(output));
  }
  await letGo(input);
  return { problem: sentence(await whyNotStarted(undefined, { command: argv[0], cwd, env })) };
}

interface Opened {
  readonly output: number;
  readonly input: InputPipe | undefined;
}

/** Both or none. */
async function openFiles({ files, held }: HoldRequest): Promise<Opened> {
  const opening = onDisk('open', files.output, () =>
    openFile(files.output, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600),
  );
  const [output, input] = await Promise.allSettled([opening, held ? openInput(files.input) : undefined]);
  if (output.status === 'fulfilled' && input.status === 'fulfilled')
    return { output: output.value, input: input.value };
  if (output.status === 'fulfilled') await closeFile(output.value);
  if (input.status === 'fulfilled') await letGo(input.value);
  throw output.status === 'rejected' ? output.reason : (input as PromiseRejectedResult).reason;
}

async function letGo(input: InputPipe | undefined): Promise<void> {
  await input?.close();
  await input?.settle();
}

async function startUnheld({ argv: [file, ...args], env, cwd, mark }: HoldRequest, output: number): Promise<Held> {
  const child = spawn(file, args, {
    env: { ...env, [MARK]: mark },
    cwd,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', output, output],
  });
  return begun(child, inputOf(child.stdin!));
}

const startHeld = (request: HoldRequest, output: number, input: InputPipe): Promise<Held> =>
  begun((request.pty ? spawnOnTerminal : spawnPlain)(request, output), input);

function spawnPlain({ argv, env, cwd, mark, files }: HoldRequest, output: number): ChildProcess {
  const forgotten = SHELL_OWN.filter((name) => !(name in env));
  const script = forgotten.length === 0 ? HOLDER : `unset ${forgotten.join(' ')}\n${HOLDER}`;
  return spawn(SHELL, ['-c', script, files.exit, ...argv], {
    env: { ...env, [MARK]: mark },
    cwd,
    detached: true,
    stdio: ['ignore', output, 'ignore'],
  });
}

/**
 * What is to run is told through a pipe: a program's arguments can be read by everybody, and the holder's environment
 * is not the command's.
 */
function spawnOnTerminal({ argv, env, cwd, mark, files }: HoldRequest, output: number): ChildProcess {
  const holder = besideModule('pty-holder', import.meta);
  const child = spawn(process.execPath, [fileURLToPath(holder)], {
    env: { [MARK]: mark },
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, 'ignore', 'pipe'],
  });
  const orders = child.stdio[3] as NodeJS.WritableStream | null;
  // A holder that ended early is heard of by its exit.
  orders?.on('error', () => undefined);
  orders?.end(
    JSON.stringify({
      argv,
      cwd,
      env: { ...env, [MARK]: mark },
      input: files.input,
      ready: files.ready,
      exit: files.exit,
    }),
  );
  return child;
}

/** Called in the tick of the start: what a child tells first, it tells in the next. */
async function begun(child: ChildProcess, input: InputPipe): Promise<Held> {
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  await new Promise((resolve, reject) => child.once('spawn', () => resolve(undefined)).once('error', reject));
  return { pid: child.pid!, input, exited, release: () => child.unref() };
}

const sentence = (reason: string): string => `The command was not started: ${reason}.`;
