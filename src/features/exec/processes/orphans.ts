/** Processes that outlive a command: members of its group, and daemons that left the group. */
import { startTimeOf, stillRuns } from '../../../platform/process-identity.ts';
import { marksOf, type ProcessRow } from '../platform/process-table.ts';
import { groupMembers, marked } from '../platform/tree.ts';
import type { ProcessRecord } from './process-record.ts';

export interface Left {
  /** Of the holder, which led the group. */
  readonly pid: number | undefined;
  readonly mark: string;
}

type Daemons = ProcessRecord['daemons'];

/** `ours`: a child of this process. Of another the number may be another group's by now; the mark is not. */
export async function groupOf({ pid, mark }: Left, ours: boolean): Promise<readonly ProcessRow[]> {
  const rows = pid === undefined ? [] : await groupMembers(pid);
  if (ours || rows.length === 0) return rows;
  const marks = await marksOf(rows.map((row) => row.pid));
  return rows.filter((row) => marks.get(row.pid) === mark);
}

/** Looks twice, because one that is just becoming another program shows no mark for a moment. */
export async function daemonsOf({ pid, mark }: Left, pause: () => Promise<void>): Promise<Daemons> {
  if (pid === undefined) return [];
  const found = await marked({ pid, mark });
  if (found.length > 0) return identified(found);
  await pause();
  return identified(await marked({ pid, mark }));
}

/** Those that still run. */
export async function stillRunning(daemons: Daemons): Promise<Daemons> {
  const alive = await Promise.all(daemons.map(({ pid, birth }) => stillRuns(pid, birth)));
  return daemons.filter((_, index) => alive[index]);
}

const identified = (rows: readonly ProcessRow[]): Promise<Daemons> =>
  Promise.all(rows.map(async ({ pid, name }) => ({ pid, name, birth: (await startTimeOf(pid)) ?? '' })));
