/** What is typed into a process: through the end of its pipe we hold, or one opened anew after a restart. */
import { keepOpen } from '../../platform/process/hold.ts';
import { reopenInput, type InputPipe } from '../../platform/process/input-pipe.ts';
import { birthOf } from '../../platform/process/birth.ts';
import { endProcess } from '../../platform/process/tree.ts';
import type { Identity } from './process-record.ts';

export interface ProcessInput {
  /** Bytes written; `closed` when it does not read any more. */
  write(data: Uint8Array): Promise<number | 'closed'>;
  /** Behind what was written. The keeper goes too; on a terminal a key is pressed instead. */
  end(keeper: Identity | undefined): Promise<void>;
  /** From now on its input stays open without us. Undefined where that needs nobody. */
  keep(): Promise<Identity | undefined>;
  /** We go; whoever keeps it open stays. */
  release(): Promise<void>;
}

/** Ctrl-D at the start of a line is the end of input on a terminal. */
const END_KEY = Uint8Array.of(0x04);

export function createProcessInput({ path, pty, mark, pipe: opened }: { readonly path: string; readonly pty: boolean; readonly mark: string; readonly pipe?: InputPipe }): ProcessInput {
  let pipe = opened;
  const write = async (data: Uint8Array): Promise<number | 'closed'> => {
    pipe ??= await reopenInput(path);
    return pipe && (await pipe.write(data)) === 'taken' ? data.length : 'closed';
  };
  return {
    write,
    async end(keeper) {
      if (pty) return void (await write(END_KEY));
      await pipe?.close();
      if (keeper) await endProcess(keeper);
    },
    async keep() {
      const descriptor = pipe?.fd();
      if (pty || descriptor === undefined) return undefined;
      const pid = keepOpen(descriptor, mark);
      const birth = pid === undefined ? undefined : await birthOf(pid);
      return pid === undefined || birth === undefined ? undefined : { pid, birth };
    },
    async release() { await pipe?.close(); },
  };
}
