/** Which events of the daemon are taken: it sends those behind the last one again. Survives a restart. */
import { createDelayedWriter, type Log } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';

export interface Marks extends AsyncDisposable {
  /** Of the last event before which every one is taken; undefined: none, or the daemon counts anew. */
  readonly last: string | undefined;
  /** What was written before, milliseconds since the epoch, was for nobody here. */
  readonly since: number;
  /** An event came; call the answer once it is taken. */
  came(id: string | undefined): () => void;
  /** The daemon is another one. */
  renew(): void;
}

const FILE = 'events.json';
const WRITE_AFTER_MS = 300;
/** Clocks differ. */
const TOLERANCE_MS = 60_000;

export async function openMarks({ stateDir, log }: { readonly stateDir: string; readonly log: Log }): Promise<Marks> {
  const kept = ((await readState(stateDir, FILE)) ?? {}) as { readonly last?: unknown; readonly since?: unknown };
  const state = {
    last: typeof kept.last === 'string' ? kept.last : undefined,
    since: typeof kept.since === 'number' ? kept.since : Date.now() - TOLERANCE_MS,
    open: [] as { readonly id: string; taken: boolean }[],
  };
  /** A mark that is lost costs a repetition, which the journal knows. */
  const writer = createDelayedWriter({
    write: () => writeState(stateDir, FILE, { last: state.last, since: state.since }),
    delayMs: WRITE_AFTER_MS,
    failed: (error) => log.warn('signal.marks', { reason: error instanceof Error ? error.message : 'unknown' }),
  });
  if (kept.since === undefined) {
    writer.changed();
    await writer.flush();
  }
  return {
    get last() {
      return state.last;
    },
    since: state.since,
    came(id) {
      if (id === undefined) return () => undefined;
      const event = { id, taken: false };
      state.open.push(event);
      return () => {
        event.taken = true;
        while (state.open[0]?.taken) state.last = state.open.shift()!.id;
        writer.changed();
      };
    },
    renew() {
      state.last = undefined;
      state.open = [];
      writer.changed();
    },
    [Symbol.asyncDispose]: writer.flush,
  };
}
