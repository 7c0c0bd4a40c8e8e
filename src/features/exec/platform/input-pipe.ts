/**
 * The writing end of a process's standard input: takes what is written without ever blocking, and knows when nobody
 * reads any more.
 */
import { close, constants, open } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { onDisk } from '../../../platform/storage-error.ts';
import { within } from '../../../platform/timeout.ts';

const openFile = promisify(open);
const closeFile = promisify(close);

/** The input of a running command. */
export interface InputPipe {
  /**
   * Resolves when the system took the bytes, after a moment at the latest: what a process does not read yet waits.
   * `closed`: it
   * will never read them. `full`: so much waits already that nothing of this was taken.
   */
  write(data: Uint8Array): Promise<'taken' | 'closed' | 'full'>;
  /** What was written reaches the process first; before `settle` the end of its input does not. */
  close(): Promise<void>;
  /**
   * Whoever reads has opened it by now: when nobody has it open any more, nobody reads. Until then what is written
   * waits for it.
   */
  settle(): Promise<void>;
  /** For handing it to another process; undefined once closed. */
  fd(): number | undefined;
}

/** Milliseconds a writer waits for a process that does not read. */
const TIMEOUT_MS = 1000;
/** Bytes that may wait. */
const MAX_WAITING = 4 * 1024 * 1024;

/**
 * A named pipe for somebody who has yet to open it, or has it open. Nobody waits for anybody. Rejects with
 * `AppError('storage')`.
 */
export async function openInput(path: string): Promise<InputPipe> {
  return onDisk('open', path, async () => {
    // Opening one end waits for the other, so an end that is both comes first.
    const both = await openFile(path, constants.O_RDWR | constants.O_NONBLOCK);
    return createInputPipe(await openFile(path, constants.O_WRONLY | constants.O_NONBLOCK), both);
  });
}

/** A stream as such a pipe; only its owner can keep it open. */
export function inputOf(stream: Writable): InputPipe {
  let state: 'open' | 'broken' | 'closed' = 'open';
  // EPIPE: nobody reads.
  stream.on('error', () => {
    state = 'broken';
  });
  return {
    settle: async () => undefined,
    fd: () => undefined,
    async write(data) {
      if (state !== 'open') return 'closed';
      if (stream.writableLength >= MAX_WAITING) return 'full';
      await inTime(
        new Promise((resolve) => {
          stream.write(data, () => resolve());
        }),
      );
      return (state as string) === 'broken' ? 'closed' : 'taken';
    },
    async close() {
      if (state === 'closed') return;
      const broken = state === 'broken';
      state = 'closed';
      if (broken) return void stream.destroy();
      await inTime(
        new Promise((resolve) => {
          stream.end(() => resolve());
        }),
      );
      if (stream.writableFinished) stream.destroy();
      else stream.once('finish', () => stream.destroy());
    },
  };
}

/** A socket is made of the descriptor when something is written: most commands are never written to. */
function createInputPipe(descriptor: number, both: number): InputPipe {
  let reading: number | undefined = both;
  let written: InputPipe | undefined;
  let closed = false;
  const started = (): InputPipe => inputOf(new Socket({ fd: descriptor, readable: false, writable: true }));
  const settle = async (): Promise<void> => {
    const ours = reading;
    reading = undefined;
    if (ours !== undefined) await closeFile(ours);
  };
  return {
    settle,
    fd: () => (closed ? undefined : descriptor),
    write: async (data) => (closed ? 'closed' : data.length === 0 ? 'taken' : (written ??= started()).write(data)),
    async close() {
      if (closed) return;
      closed = true;
      await (written ? written.close() : closeFile(descriptor));
    },
  };
}

/** Milliseconds pass at most `TIMEOUT_MS`; the bytes stay queued. */
const inTime = (done: Promise<void>): Promise<void> => within(done, { ms: TIMEOUT_MS, otherwise: undefined });
