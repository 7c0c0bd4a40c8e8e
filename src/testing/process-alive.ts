/** Checks whether a process exists by its id; a zombie does not count. */
import { processTable } from '../features/exec/platform/process-table.ts';

export const isAlive = async (pid: number): Promise<boolean> =>
  (await processTable()).some((row) => row.pid === pid && !row.zombie);
