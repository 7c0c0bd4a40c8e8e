/** Decides whether a signal may restart the process: only if a restart was planned. */
import type { Clock } from '../platform/clock.ts';

/** Whether a signal may restart the process: once for each restart that was planned, in its place. */
export interface SignalGate {
  /** Until then, milliseconds since the epoch. `fresh`: what is planned is a restart with new code. */
  authorise(until: number, fresh: boolean): void;
  /** True once for what was authorised. */
  take(): boolean;
  /** The restart happens: nothing is planned any more. Answers whether new code was. */
  clear(): boolean;
}

export function createSignalGate(clock: Pick<Clock, 'now'>): SignalGate {
  let planned = { until: -Infinity, fresh: false };
  return {
    authorise(until, fresh) {
      planned = { until, fresh };
    },
    take() {
      const open = clock.now() <= planned.until;
      planned = { ...planned, until: -Infinity };
      return open;
    },
    clear() {
      const { fresh } = planned;
      planned = { until: -Infinity, fresh: false };
      return fresh;
    },
  };
}
