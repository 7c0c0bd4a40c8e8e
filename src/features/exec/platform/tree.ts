/**
 * A command with everything it started, however far that went: found by group, by descent and by mark, and ended as a
 * whole.
 */
import { exec } from '../../../platform/exec.ts';
import { pause } from '../../../platform/pause.ts';
import { errnoOf } from '../../../platform/storage-error.ts';
import { marksOf, processTable, rowsOf, youngerThan, type ProcessRow } from './process-table.ts';
import { scanProcesses, type ProcessScan } from './process-scan.ts';

/** A process and everything it started. */
export interface Tree {
  /** The process that leads the group and the session; absent when its number may be another's by now. */
  readonly pid?: number;
  /** The value of the mark all of it carries. */
  readonly mark: string;
}

/** Milliseconds until a process that does not end is given up: one that SIGKILL does not end runs nothing any more. */
const GIVE_UP_MS = 2000;
const POLL_MS = 15;

/**
 * Everything of the tree that runs. A process that left the group, its parents *and* wiped its environment is not
 * found.
 */
export async function membersOf(
  { pid, mark }: Tree,
  scan: ProcessScan = scanProcesses,
): Promise<readonly ProcessRow[]> {
  const { rows, marks } = await scan();
  const members = new Map(
    rows
      .filter(
        (row) =>
          marks.get(row.pid) === mark ||
          (pid !== undefined && (row.pid === pid || row.group === pid || row.session === pid)),
      )
      .map((row) => [row.pid, row]),
  );
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const row of rows) if (members.has(row.parent)) members.set(row.pid, row);
  }
  return [...members.values()];
}

/** Those of its group that run; cheap when there are none. */
export async function groupMembers(pid: number): Promise<readonly ProcessRow[]> {
  if (process.platform === 'win32' || !signal(-pid, 0)) return [];
  return (await processTable()).filter((row) => row.group === pid && !row.zombie);
}

/** Those that left the group and carry the mark. `pid` led the group, so all of them are younger. Linux. */
export async function marked({ pid, mark }: Required<Tree>): Promise<readonly ProcessRow[]> {
  const marks = await marksOf(await youngerThan(pid));
  return (await rowsOf([...marks].flatMap(([other, value]) => (value === mark ? [other] : [])))).filter(
    (row) => !row.zombie,
  );
}

/**
 * Ends the tree: with `graceMs` it is asked first (SIGTERM), then made. Resolves when nothing of it runs, with what
 * still does after
 * two seconds of SIGKILL.
 */
export async function endTree(
  tree: Tree,
  { graceMs, scan }: { readonly graceMs: number; readonly scan?: ProcessScan },
): Promise<readonly ProcessRow[]> {
  if (process.platform === 'win32') return endOnWindows(tree);
  if (graceMs > 0) {
    const signalled = await membersOf(tree, scan);
    for (const { pid } of signalled) signal(pid, 'SIGTERM');
    await untilNone(() => rowsStill(signalled), graceMs);
  }
  return untilNone(async () => {
    const members = await membersOf(tree, scan);
    // Parents first would free their children to start more; stopped ones cannot.
    for (const { pid } of members) signal(pid, 'SIGSTOP');
    for (const { pid } of members) signal(pid, 'SIGKILL');
    return members;
  }, GIVE_UP_MS);
}

const rowsStill = async (rows: readonly ProcessRow[]): Promise<readonly ProcessRow[]> => {
  const now = await rowsOf(rows.map((row) => row.pid));
  return now.filter(
    (row) => !row.zombie && rows.some(({ pid, startTime }) => pid === row.pid && startTime === row.startTime),
  );
};

async function untilNone(read: () => Promise<readonly ProcessRow[]>, ms: number): Promise<readonly ProcessRow[]> {
  const until = performance.now() + ms;
  for (;;) {
    const left = await read();
    if (left.length === 0 || performance.now() >= until) return left;
    await pause(POLL_MS);
  }
}

async function endOnWindows({ pid }: Tree): Promise<readonly ProcessRow[]> {
  if (pid !== undefined)
    await exec({
      command: 'taskkill',
      args: ['/pid', String(pid), '/t', '/f'],
      env: { PATH: 'C:\\Windows\\System32' },
      timeoutMs: GIVE_UP_MS,
      maxOutputBytes: 4096,
      signal: new AbortController().signal,
    });
  return [];
}

/** False when there is nobody; EPERM means there is, running as somebody else (a setuid program). */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (errnoOf(error) === 'EPERM') return true;
    if (errnoOf(error) === 'ESRCH') return false;
    throw error;
  }
}
