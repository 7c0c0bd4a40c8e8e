/** Background work in small steps: deletes old rows, and resumes messages without an end state (P4). */
import type { Log } from '../core/log.ts';
import type { Journal } from './journal.ts';
import type { Clock, Timer } from '../platform/clock.ts';

const EVERY_MS = 60_000;
/** The retention of ended messages, their timelines and their dedupe keys; longer than any platform redelivers. */
export const KEEP_MS = 14 * 24 * 3_600_000;
/** A message without an end state for this long is reported. */
export const OVERDUE_MS = 30 * 60_000;

/** Longer than the retention of messages, so that no row refers to a deleted file. */
export const KEEP_MEDIA_MS = 2 * KEEP_MS;
/** A session that was unused for this long is released from memory and loaded again on its next use. */
const KEEP_LOADED_MS = 10 * 60_000;
const MEDIA_EVERY_MS = 6 * 3_600_000;

export interface HousekeepingDeps {
  readonly journal: Journal;
  readonly log: Log;
  readonly clock: Clock;
  sweep(): Promise<number>;
  pruneMedia(ageMs: number): Promise<number>;
  /** Releases sessions that have not been used since that time. */
  restTranscripts(before: number): void;
}

export function createHousekeeping({ journal, log, clock, sweep, pruneMedia, restTranscripts }: HousekeepingDeps) {
  let timer: Timer | undefined;
  let mediaDue = clock.now() + MEDIA_EVERY_MS;
  async function once(): Promise<void> {
    restTranscripts(clock.now() - KEEP_LOADED_MS);
    const expired = await journal.outbox.expire(
      clock.now() - KEEP_MS,
      'It could not be sent for 14 days: its channel is gone or was never connected.',
    );
    if (expired > 0) log.error('outbox.expired', { count: expired });
    while ((await journal.prune(KEEP_MS)) > 0) await clock.sleep(50);
    const taken = await sweep();
    if (taken > 0) log.warn('messages.taken-up', { count: taken });
    if (clock.now() >= mediaDue) {
      mediaDue = clock.now() + MEDIA_EVERY_MS;
      await pruneMedia(KEEP_MEDIA_MS);
    }
    const overdue = await journal.inbound.overdue(clock.now() - OVERDUE_MS);
    if (overdue > 0) log.warn('messages.overdue', { count: overdue, olderThanMs: OVERDUE_MS });
  }
  return {
    start(): void {
      timer = clock
        .setInterval(() => void once().catch((error: unknown) => log.error('housekeeping', { error })), EVERY_MS)
        .unref();
    },
    stop: (): void => timer?.cancel(),
  };
}
