/**
 * A program of its own: gives one command a terminal, writes what it shows into a file, types what comes through a
 * pipe, and leaves the exit code.
 */
import { spawn } from 'node:child_process';
import { constants, createReadStream, openSync, writeFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants as system } from 'node:os';
import { text } from 'node:stream/consumers';
import { createQueryFilter, CURSOR_REPLY } from './cursor-queries.ts';

interface Orders {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  readonly ready: string;
  readonly exit: string;
}

const SIZE = { cols: 120, rows: 30 };
const OUTPUT = 1;
const ORDERS = 3;
/** Milliseconds a lone ESC waits for the rest of a question. */
const HELD_MS = 30;

const orders = JSON.parse(await text(createReadStream('', { fd: ORDERS }))) as Orders;
// A signal to the group is the command's business; its exit code is ours.
for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined);
await onTerminal(orders);

async function onTerminal(orders: Orders): Promise<void> {
  const { argv, cwd, env, exit } = orders;
  const filter = createQueryFilter();
  let late: NodeJS.Timeout | undefined;
  try {
    const { spawn: openTerminal } = await import('@lydell/node-pty');
    const [file, ...args] = argv;
    const terminal = openTerminal(file, args, {
      ...SIZE,
      name: 'xterm-256color',
      cwd,
      env: { ...env, TERM: env['TERM'] || 'xterm-256color' },
      encoding: null,
    });
    // With `encoding: null` these are bytes, whatever the declaration says.
    terminal.onData((data: unknown) => {
      clearTimeout(late);
      const { text: shown, queries } = filter.take((data as Buffer).toString('latin1'));
      write(shown);
      if (queries > 0) terminal.write(CURSOR_REPLY.repeat(queries));
      late = setTimeout(() => write(filter.rest()), HELD_MS);
    });
    terminal.onExit(({ exitCode, signal }) => {
      write(filter.rest());
      leave(exit, signal ? 128 + signal : exitCode);
    });
    typed(orders).on('data', (bytes: Buffer) => terminal.write(bytes as unknown as string));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    write(`Warning: no terminal could be opened (${error.message.split('\n')[0]}); running without one.\n`);
    withoutTerminal(orders);
  }
}

function withoutTerminal(orders: Orders): void {
  const {
    argv: [file, ...args],
    cwd,
    env,
    exit,
  } = orders;
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', OUTPUT, OUTPUT] });
  // A command that does not read is in its right; one that could not start has no other exit.
  child.stdin!.on('error', () => undefined);
  child.once('error', () => leave(exit, 127));
  child.once('exit', (code, signal) => leave(exit, code ?? 128 + (system.signals[signal!] ?? 0)));
  typed(orders).on('data', (bytes: Buffer) => child.stdin!.write(bytes));
}

/** Open for writing too: the end of the last writer is no end of input. */
function typed({ input, ready }: Orders): Socket {
  const socket = new Socket({
    fd: openSync(input, constants.O_RDWR | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
  writeFileSync(ready, '', { mode: 0o600 });
  return socket;
}

/** On a full disk the output is lost, not the command. */
function write(shown: string): void {
  let bytes = Buffer.from(shown, 'latin1');
  try {
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(OUTPUT, bytes));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

function leave(exit: string, code: number): void {
  writeFileSync(exit, `${code}\n`, { mode: 0o600 });
  process.exit(code);
}
