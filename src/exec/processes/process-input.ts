/** What is typed into a process: through the end of its pipe we hold, or one opened anew after a restart. */
import type { InputKeeper } from '../../platform/process/input-keeper.ts';
import { openInput, type InputPipe } from '../../platform/process/input-pipe.ts';

export interface ProcessInput {
  /** Bytes written; `closed` when it does not read any more. */
  write(data: Uint8Array): Promise<number | 'closed'>;
  /** Behind what was written; on a terminal a key is pressed instead. */
  end(): Promise<void>;
  /** From now on its input stays open without us. */
  keep(): Promise<void>;
  /** A while after the start: the command has opened its input, if it ever will. */
  settle(): Promise<void>;
  /** The process is gone. */
  forget(): Promise<void>;
  /** We go; whoever keeps it open stays. */
  release(): Promise<void>;
}

export interface ProcessInputDeps {
  readonly id: string;
  /** The named pipe. */
  readonly path: string;
  readonly pty: boolean;
  readonly keeper: InputKeeper;
  /** Open already. */
  readonly pipe?: InputPipe;
}

/** Ctrl-D at the start of a line is the end of input on a terminal. */
const END_KEY = Uint8Array.of(0x04);

export function createProcessInput({ id, path, pty, keeper, pipe: opened }: ProcessInputDeps): ProcessInput {
  let pipe = opened;
  const write = async (data: Uint8Array): Promise<number | 'closed'> => {
    pipe ??= await openInput(path);
    return (await pipe.write(data)) === 'taken' ? data.length : 'closed';
  };
  return {
    write,
    async end() {
      if (pty) return void (await write(END_KEY));
      await keeper.drop(id);
      await pipe?.close();
    },
    async keep() {
      pipe ??= await openInput(path);
      const descriptor = pipe.fd();
      // The holder of a terminal holds its input, too.
      if (descriptor !== undefined && !pty) await keeper.keep(id, descriptor);
    },
    // The holder of a terminal takes its time.
    async settle() { if (!pty) await pipe?.settle(); },
    async forget() {
      keeper.forget(id);
      await pipe?.close();
    },
    async release() { await pipe?.close(); },
  };
}
