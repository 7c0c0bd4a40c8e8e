/** Whether a process of this machine is there, by its id; one that ended and nobody reaped is not. */
import { processTable } from '../features/exec/platform/process-table.ts';

export const isAlive = async (pid: number): Promise<boolean> =>
  (await processTable()).some((row) => row.pid === pid && !row.zombie);
