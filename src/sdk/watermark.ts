/**
 * The last event id before which every event is accepted, for platforms that redeliver from an id. It survives a
 * restart.
 */
import type { Log } from '../core/log.ts';
import { createDelayedWriter } from './delayed-writer.ts';
import { readState, writeState } from './state-file.ts';

/** The position in one stream of events. Disposing it writes what is unwritten. */
export interface Watermark extends AsyncDisposable {
  /** Undefined: none is accepted yet, or the platform restarted its counter. */
  readonly last: string | undefined;
  /** When this account was connected for the first time; milliseconds since the epoch. */
  readonly since: number;
  /** An event came; call the answer once it is taken. */
  came(id: string | undefined): () => void;
  /** Begins at `id`; resolves once that survives a crash. */
  begin(id: string): Promise<void>;
  /** The platform restarted its counter. */
  renew(): void;
}

/** Where the position is kept: `file` in the account's `stateDir`. */
export interface WatermarkOptions {
  readonly stateDir: string;
  readonly log: Log;
  readonly file: string;
}

const WRITE_AFTER_MS = 300;

/** A position that is lost costs a repetition, which the journal recognizes. */
export async function openWatermark({ stateDir, log, file }: WatermarkOptions): Promise<Watermark> {
  const kept = ((await readState(stateDir, file)) ?? {}) as { readonly last?: unknown; readonly since?: unknown };
  const state = {
    last: typeof kept.last === 'string' ? kept.last : undefined,
    since: typeof kept.since === 'number' ? kept.since : Date.now(),
    open: [] as { readonly id: string; taken: boolean }[],
  };
  const writer = createDelayedWriter({
    write: () => writeState(stateDir, file, { last: state.last, since: state.since }),
    delayMs: WRITE_AFTER_MS,
    failed: (error) => log.warn('watermark', { file, reason: error instanceof Error ? error.message : 'unknown' }),
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
    async begin(id) {
      state.last = id;
      writer.changed();
      await writer.flush();
    },
    renew() {
      state.last = undefined;
      state.open = [];
      writer.changed();
    },
    [Symbol.asyncDispose]: writer.flush,
  };
}
