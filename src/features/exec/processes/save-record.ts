/** Writes a record, one write at a time; later changes are in the next write. */
import type { Log } from '../../../core/log.ts';
import { AppError } from '../../../core/errors.ts';
import { createSerialQueue } from '../../../platform/keyed-queue.ts';
import { writeRecord, type ProcessRecord } from './process-record.ts';

export interface RecordSaver {
  /**
   * Resolves when this state, or a later one, is written. Trouble is logged: the process goes on, only a later run may
   * not know all of it.
   */
  save(): Promise<void>;
  /** Nothing is written any more once this resolves. */
  stop(): Promise<void>;
}

export function createRecordSaver({
  folder,
  current,
  log,
}: {
  readonly folder: string;
  readonly current: () => ProcessRecord;
  readonly log: Log;
}): RecordSaver {
  const writes = createSerialQueue();
  let writing: Promise<void> = Promise.resolve();
  let waiting = false;
  let stopped = false;

  const write = async (): Promise<void> => {
    waiting = false;
    if (stopped) return;
    try {
      await writeRecord(folder, current());
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn('process.record', { id: current().id, error: error.message });
    }
  };
  return {
    save() {
      if (!waiting) {
        waiting = true;
        writing = writes.run(() => Promise.resolve().then(write)); // what changes in this moment is one write
      }
      return writing;
    },
    async stop() {
      stopped = true;
      await writing;
    },
  };
}
