/**
 * All running processes with their marks. One scan reads two files of each, so callers that ask at the same time share
 * one.
 */
import { marksOf, processTable, type ProcessRow } from './process-table.ts';
import { whenOver } from '../../../platform/settled.ts';

/** All processes there are, and the marks of those that carry one. */
export interface ProcessScanner {
  readonly rows: readonly ProcessRow[];
  readonly marks: ReadonlyMap<number, string>;
}

/** Reads the process table. */
export type ProcessScan = () => Promise<ProcessScanner>;

/** Without ourselves, and without those that only wait to be buried. */
export async function scanProcesses(): Promise<ProcessScanner> {
  const rows = (await processTable()).filter((row) => !row.zombie && row.pid > 1 && row.pid !== process.pid);
  return { rows, marks: await marksOf(rows.map((row) => row.pid)) };
}

/**
 * A scan that already runs may miss what is asked about now, so callers that ask meanwhile share the next one.
 */
export function sharedScan(scan: ProcessScan = scanProcesses): ProcessScan {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<ProcessScanner> | undefined;
  return () => {
    if (next) return next;
    const mine = last.then(() => {
      next = undefined;
      return scan();
    });
    next = mine;
    last = whenOver(mine);
    return mine;
  };
}
