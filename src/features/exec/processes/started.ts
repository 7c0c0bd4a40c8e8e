/** A started process in the foreground, as its caller uses it. */
import type { ProcessView } from '../../../core/shell.ts';
import type { HeldProcess } from './held-process.ts';
import type { Limits } from './process-output.ts';

export interface Started {
  readonly id: string;
  readonly pid: number;
  /** The command ended; what it left in its group is told in `leftBehind`. Never rejects. */
  readonly ended: Promise<ProcessView>;
  /** Told with each new tail, some times a second. */
  onOutput(listener: (tail: string) => void): () => void;
  /** Resolves once a later run of the gateway would know it. */
  toBackground(): Promise<void>;
  /** Ends it while it is in the foreground; in the background it goes on. */
  abort(): Promise<void>;
  read(limits: Limits): Promise<{ readonly output: string; readonly cut: number }>;
  view(): ProcessView;
  /** Its result was delivered, but not all of its output: that stays to be read, and nobody is told of its end. */
  keep(): Promise<void>;
  /** Its result was delivered: it leaves no trace, unless it left processes behind. Does not wait for that. */
  discard(): Promise<void>;
}

const DISK_FULL = '[The disk of the gateway is full; the end of the output may be missing.]';

export function startedOf(
  process: HeldProcess,
  { pid, discarded }: { readonly pid: number; discarded(): void },
): Started {
  return {
    id: process.record.id,
    pid,
    ended: process.ended,
    onOutput: (listener) => process.watch(listener),
    toBackground: () => process.toBackground(),
    abort: async () => {
      if (!process.record.background) await process.end('aborted');
    },
    async read(limits) {
      await process.refreshView();
      const { output, cut } = await process.output.since(0, { ...limits, open: process.record.outcome === undefined });
      return { output: process.record.diskFull ? `${output}\n${DISK_FULL}` : output, cut };
    },
    view: () => process.view(),
    async keep() {
      await process.change({ told: true, cursor: process.view().outputBytes });
      await process.toBackground();
    },
    discard: async () => discarded(),
  };
}
