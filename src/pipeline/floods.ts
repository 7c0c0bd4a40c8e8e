/** Reports messages dropped from a full queue, with nearby drops combined into one notice. */
import type { InboundRow } from '../journal/rows.ts';
import type { Clock, Timer } from '../platform/clock.ts';

export interface Floods {
  add(rows: readonly InboundRow[]): void;
}

/** A flood is over when nothing of it came for so long, milliseconds … */
const QUIET_MS = 1000;
/** … and is reported after this time in any case. */
const LONGEST_MS = 5000;

interface Flood {
  readonly rows: InboundRow[];
  readonly since: number;
  timer: Timer;
}

/** `tell` gives them their ends; until then they are open, and a crash takes them up again. */
export function createFloods({
  clock,
  notify,
}: {
  readonly clock: Clock;
  notify(rows: readonly InboundRow[], text: string): void;
}): Floods {
  const floods = new Map<string, Flood>();

  function over(key: string): void {
    const { rows } = floods.get(key)!;
    floods.delete(key);
    const which =
      rows.length === 1
        ? 'this one was not answered on its own'
        : `${rows.length} messages were not answered on their own`;
    notify(
      rows,
      `⚠️ Too many messages are waiting in this session, so ${which}. Wait for an answer, or raise messages.queue.cap.`,
    );
  }

  return {
    add(rows) {
      for (const row of rows) {
        const key = JSON.stringify([row.route.sessionKey, row.route.replyTo]);
        const known = floods.get(key);
        known?.timer.cancel();
        const since = known?.since ?? clock.monotonic();
        const wait = Math.min(QUIET_MS, Math.max(0, since + LONGEST_MS - clock.monotonic()));
        floods.set(key, {
          rows: [...(known?.rows ?? []), row],
          since,
          timer: clock.setTimeout(() => over(key), wait).unref(),
        });
      }
    },
  };
}
