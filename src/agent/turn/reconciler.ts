/**
 * Copies everything the journal has of a turn to the transcript and syncs it, because the journal may delete it
 * afterwards.
 */
import type { Log } from '../../core/log.ts';
import { systemClock, type Clock, type Timer } from '../../platform/clock.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Transcripts } from '../../sessions/transcripts.ts';
import { whenOver } from '../../platform/settled.ts';

export interface Reconciler {
  /** The turn's lines are written; they will be synced soon. */
  written(turnId: string, transcriptPath: string): void;
  /** Syncs now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createReconciler(deps: {
  journal: Journal;
  transcripts: Transcripts;
  log: Log;
  clock?: Clock;
  everyMs?: number;
}): Reconciler {
  const clock = deps.clock ?? systemClock;
  const waiting = new Map<string, string>();
  const state: { timer: Timer | undefined; running: Promise<unknown> } = {
    timer: undefined,
    running: Promise.resolve(),
  };

  /** One at a time; closing also waits for the running one. */
  function flush(): Promise<void> {
    const mine = state.running.then(once);
    state.running = whenOver(mine);
    return mine;
  }

  async function once(): Promise<void> {
    const turns = [...waiting];
    if (turns.length === 0) return;
    waiting.clear();
    const failed = await deps.transcripts.sync();
    const [good, bad] = [turns.filter(([, path]) => !failed.has(path)), turns.filter(([, path]) => failed.has(path))];
    for (const [turnId, path] of bad) waiting.set(turnId, path);
    if (good.length > 0) await deps.journal.turns.settle(good.map(([turnId]) => turnId));
  }

  function schedule(): void {
    state.timer ??= clock
      .setTimeout(() => {
        state.timer = undefined;
        flush()
          .catch((error: unknown) => deps.log.error('turn.settle', { error }))
          .finally(() => {
            if (waiting.size > 0) schedule();
          });
      }, deps.everyMs ?? 1000)
      .unref();
  }

  return {
    written(turnId, transcriptPath) {
      waiting.set(turnId, transcriptPath);
      deps.transcripts.touched(transcriptPath);
      schedule();
    },
    flush,
    async close() {
      state.timer?.cancel();
      await flush();
    },
  };
}
