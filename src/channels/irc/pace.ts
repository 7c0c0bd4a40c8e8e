/** Limits the rate of sent lines: a short burst, then one at a time, because servers disconnect clients that flood. */
import { abortedBy, pause } from '../../sdk/index.ts';

export interface Pace {
  /** Resolves when the next line may go. */
  turn(signal: AbortSignal): Promise<void>;
}

/** `now`: milliseconds that never go back. */
export function createPace(
  { linesAtOnce, linePauseMs }: { readonly linesAtOnce: number; readonly linePauseMs: number },
  now: () => number = () => performance.now(),
): Pace {
  const state = { free: linesAtOnce, at: now() };
  return {
    async turn(signal) {
      if (linePauseMs === 0) return;
      const passed = Math.max(0, now() - state.at);
      state.free = Math.min(linesAtOnce, state.free + passed / linePauseMs);
      state.at = now();
      state.free -= 1;
      const waitMs = state.free < 0 ? -state.free * linePauseMs : 0;
      if (waitMs > 0 && !(await pause(waitMs, signal))) throw abortedBy(signal);
    },
  };
}
