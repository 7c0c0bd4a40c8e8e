/** The writing end of a process's standard input: takes what is written without ever blocking, and knows when nobody reads any more. */
import { close, constants, open } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { errnoOf, storageError } from '../storage-error.ts';

const openFile = promisify(open);
const closeFile = promisify(close);

export interface InputPipe {
  /** Resolves when the system took the bytes, after a moment at the latest: what a process does not read yet waits. `closed`: it will never read them. */
  write(data: Uint8Array): Promise<'taken' | 'closed'>;
  /** What was written reaches the process first. */
  close(): Promise<void>;
  /** For handing it to another process; undefined once closed. */
  fd(): number | undefined;
}

/** Milliseconds a writer waits for a process that does not read. */
const PATIENCE_MS = 1000;

/** Both ends of a named pipe, the reading one for a child; nobody waits for anybody. */
export async function openBothEnds(path: string): Promise<{ readonly reading: number; readonly writing: number }> {
  // Opening one end waits for the other, so an end that is both comes first.
  const both = await openFile(path, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    return { reading: await openFile(path, constants.O_RDONLY), writing: await openFile(path, constants.O_WRONLY | constants.O_NONBLOCK) };
  } finally {
    await closeFile(both);
  }
}

/** An end that keeps the pipe open for a reader yet to come. */
export const openForLater = (path: string): Promise<number> => openFile(path, constants.O_RDWR | constants.O_NONBLOCK);

/** The writing end of a pipe that somebody reads; undefined when nobody does any more. */
export async function reopenInput(path: string): Promise<InputPipe | undefined> {
  try {
    return createInputPipe(await openFile(path, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENXIO' || code === 'ENOENT') return undefined;
    throw storageError('open', path, error);
  }
}

/** Owns the descriptor. A socket is made of it when something is written: most commands are never written to. */
export function createInputPipe(descriptor: number): InputPipe {
  let state: 'idle' | 'writing' | 'broken' | 'closed' = 'idle';
  let socket: Socket | undefined;

  const started = (): Socket => {
    state = 'writing';
    const made = new Socket({ fd: descriptor, readable: false, writable: true });
    // EPIPE: nobody reads.
    made.on('error', () => { state = 'broken'; });
    return (socket ??= made);
  };
  /** Milliseconds pass at most `PATIENCE_MS`; the bytes stay queued. */
  const patiently = async (done: Promise<void>): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, PATIENCE_MS);
    await Promise.race([done, promise]);
    clearTimeout(timer);
  };

  return {
    fd: () => (state === 'idle' || state === 'writing' ? descriptor : undefined),
    async write(data) {
      if (state === 'closed' || state === 'broken') return 'closed';
      if (data.length === 0) return 'taken';
      const to = socket ?? started();
      await patiently(new Promise((resolve) => { to.write(data, () => resolve()); }));
      return (state as string) === 'broken' ? 'closed' : 'taken';
    },
    async close() {
      const before = state;
      state = 'closed';
      if (before === 'idle') return closeFile(descriptor);
      if (before === 'closed' || !socket) return;
      const last = socket;
      await patiently(new Promise((resolve) => { last.end(() => resolve()); }));
      if (last.writableFinished || before === 'broken') last.destroy();
      else last.once('finish', () => last.destroy());
    },
  };
}
