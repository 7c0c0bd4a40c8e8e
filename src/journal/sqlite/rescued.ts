/** Logs that the files of the journal disappeared while the gateway was running, and which rows were recovered. */
import type { Log } from '../../core/log.ts';
import type { LastingOptions } from '../../platform/lasting-sqlite.ts';

export const journalRescued =
  (log: Log): NonNullable<LastingOptions['onRescue']> =>
  ({ why, whole, aside, error }) =>
    whole
      ? log.warn('journal.rewritten', {
          why,
          aside,
          fix:
            'Nothing is missing: all rows were still to be read, and are on disk again. Find out who removes ' +
            'files of the state directory.',
        })
      : log.error('journal.begun_anew', {
          why,
          aside,
          error,
          fix:
            'Messages without an answer and replies not yet sent may be missing; conversations are whole. What ' +
            'lay there was set aside.',
        });
