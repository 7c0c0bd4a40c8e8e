/** Input of a process: through the open pipe, or one reopened after a restart. */
import { statIfExists } from '../../../platform/files.ts';
import type { HoldFiles } from '../platform/hold.ts';
import type { InputKeeper } from '../platform/input-keeper.ts';
import { openInput, type InputPipe } from '../platform/input-pipe.ts';

export interface ProcessInput {
  /** Bytes written; none when too much waits to be read already; `closed` when it does not read any more. */
  write(data: Uint8Array): Promise<number | 'closed'>;
  /** Behind what was written; on a terminal a key is pressed instead. */
  end(): Promise<void>;
  /** From now on its input stays open without us. */
  keep(): Promise<void>;
  /** Looks whether the command has its input open by now. */
  settle(): Promise<void>;
  /** The process is gone. */
  forget(): Promise<void>;
  /** We go; whoever keeps it open stays. */
  release(): Promise<void>;
}

export interface ProcessInputDeps {
  readonly id: string;
  readonly files: Pick<HoldFiles, 'input' | 'ready'>;
  readonly pty: boolean;
  readonly keeper: InputKeeper;
  /** Open already. */
  readonly pipe?: InputPipe;
}

/** Ctrl-D at the start of a line is the end of input on a terminal. */
const END_KEY = Uint8Array.of(0x04);

export function createProcessInput({ id, files, pty, keeper, pipe: opened }: ProcessInputDeps): ProcessInput {
  let pipe = opened;
  let settled = false;
  const letGo = async (): Promise<void> => {
    await pipe?.close();
    await pipe?.settle();
  };
  const write = async (data: Uint8Array): Promise<number | 'closed'> => {
    pipe ??= await openInput(files.input);
    const taken = await pipe.write(data);
    return taken === 'closed' ? taken : taken === 'full' ? 0 : data.length;
  };
  const settle = async (): Promise<void> => {
    if (settled || !(await statIfExists(files.ready))) return;
    settled = true;
    await pipe?.settle();
  };
  return {
    write,
    settle,
    async end() {
      if (pty) return void (await write(END_KEY));
      await keeper.drop(id);
      await pipe?.close();
      await settle();
    },
    async keep() {
      pipe ??= await openInput(files.input);
      const descriptor = pipe.fd();
      // The holder of a terminal holds its input, too.
      if (descriptor !== undefined && !pty) await keeper.keep(id, descriptor);
    },
    async forget() {
      keeper.forget(id);
      await letGo();
    },
    release: letGo,
  };
}
