/** The writing end of a process's standard input: takes what is written without ever blocking, and knows when nobody reads any more. */
import { close, constants, open } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { onDisk } from '../storage-error.ts';

const openFile = promisify(open);
const closeFile = promisify(close);

export interface InputPipe {
  /** Resolves when the system took the bytes, after a moment at the latest: what a process does not read yet waits. `closed`: it will never read them. */
  write(data: Uint8Array): Promise<'taken' | 'closed'>;
  /** What was written reaches the process first. */
  close(): Promise<void>;
  /** Whoever reads has opened it by now: when nobody has it open any more, nobody reads. Until then what is written waits. */
  settle(): Promise<void>;
  /** For handing it to another process; undefined once closed. */
  fd(): number | undefined;
}

/** Milliseconds a writer waits for a process that does not read. */
const PATIENCE_MS = 1000;

/** A named pipe for somebody who has yet to open it, or has it open. Nobody waits for anybody. Rejects with `AppError('storage')`. */
export async function openInput(path: string): Promise<InputPipe> {
  return onDisk('open', path, async () => {
    // Opening one end waits for the other, so an end that is both comes first.
    const both = await openFile(path, constants.O_RDWR | constants.O_NONBLOCK);
    return createInputPipe(await openFile(path, constants.O_WRONLY | constants.O_NONBLOCK), both);
  });
}

/** A socket is made of the descriptor when something is written: most commands are never written to. */
function createInputPipe(descriptor: number, both: number): InputPipe {
  let reading: number | undefined = both;
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

  const settle = async (): Promise<void> => {
    const ours = reading;
    reading = undefined;
    if (ours !== undefined) await closeFile(ours);
  };

  return {
    settle,
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
      await settle();
      if (before === 'idle') return closeFile(descriptor);
      if (before === 'closed' || !socket) return;
      const last = socket;
      await patiently(new Promise((resolve) => { last.end(() => resolve()); }));
      if (last.writableFinished || before === 'broken') last.destroy();
      else last.once('finish', () => last.destroy());
    },
  };
}
