/**
 * A worker thread that checkpoints a SQLite log into its database, so that the main thread does not wait for the disk.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { answerQuestions } from './worker.ts';

/** `copy` as much as there is now, while others commit; then `empty` the rest, while nobody does. */
export interface CheckpointStep {
  readonly path: string;
  readonly step: 'copy' | 'empty';
}
/** Whether the log was copied into the database, or why not. */
export interface CheckpointAnswer {
  readonly done: boolean;
  readonly why?: string;
}

const SETTINGS = 'PRAGMA busy_timeout=5000; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0';

function createCheckpoints() {
  let held: { readonly writer: DatabaseSync; readonly reader: DatabaseSync } | undefined;

  function connect(path: string): NonNullable<typeof held> {
    const [writer, reader] = [new DatabaseSync(path), new DatabaseSync(path)];
    writer.exec(SETTINGS);
    // While somebody reads from the log, it cannot start over.
    reader.exec('BEGIN');
    reader.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get();
    return { writer, reader };
  }

  function run(writer: DatabaseSync, mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    return writer.prepare(`PRAGMA wal_checkpoint(${mode})`).get()?.['busy'] === 0;
  }

  function emptied(path: string): boolean {
    held ??= connect(path);
    held.reader.exec('ROLLBACK');
    const done = run(held.writer, 'TRUNCATE');
    if (done) syncFile(`${path}-wal`);
    held.reader.close();
    held.writer.close();
    held = undefined;
    return done;
  }

  return ({ path, step }: CheckpointStep): CheckpointAnswer => {
    try {
      if (step === 'empty') return { done: emptied(path) };
      held ??= connect(path);
      return { done: run(held.writer, 'PASSIVE') };
    } catch (error) {
      return { done: false, why: String(error) };
    }
  };
}

function syncFile(path: string): void {
  const handle = openSync(path, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

const checkpoint = createCheckpoints();
answerQuestions<CheckpointStep, CheckpointAnswer>((step) => Promise.resolve(checkpoint(step)));
