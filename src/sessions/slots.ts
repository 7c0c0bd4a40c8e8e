/** A fair counter of things that may run at once, over all sessions. */

export interface Slots {
  /** Resolves in order of asking; call the answer to give the slot back. */
  take(): Promise<() => void>;
  readonly used: number;
}

/** `limit` is asked each time, so that a reload changes it without a restart. */
export function createSlots(limit: () => number): Slots {
  const waiting: (() => void)[] = [];
  const state = { used: 0 };
  function release(): void {
    state.used--;
    while (state.used < limit() && waiting.length > 0) {
      state.used++;
      waiting.shift()!();
    }
  }
  const once = (): (() => void) => {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      release();
    };
  };
  return {
    get used() { return state.used; },
    take() {
      if (state.used < limit() && waiting.length === 0) {
        state.used++;
        return Promise.resolve(once());
      }
      return new Promise((resolve) => waiting.push(() => resolve(once())));
    },
  };
}
