/** What cron needs of the journal. */
import type { CronJournal } from '../../journal/journal.ts';

export type {
  CronCommit as CronChange,
  CronCursorRow as CronCursor,
  CronRedoRow as JobRedo,
} from '../../journal/cron-rows.ts';

export type CronLedger = CronJournal;
