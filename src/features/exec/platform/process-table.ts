/**
 * The processes of this machine: who is whose child, in which group, and which carry the mark of a command we started.
 */
import { readdir, readFile } from 'node:fs/promises';
import { exec } from '../../../platform/exec.ts';
import { errnoOf } from '../../../platform/storage-error.ts';

/** One process, as the system lists it. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly name: string;
  /** Ended; its parent has not asked how yet. */
  readonly zombie: boolean;
  /** Clock ticks since boot; 0 where the system does not tell. */
  readonly startTime: number;
}

/** The variable by which everything a command started is known, however far it went. */
export const MARK = 'CLAWDBOT_PROCESS';

const AT_ONCE = 64;

/** Every process that can be seen. Takes some milliseconds, none of them on the event loop for long. */
export async function processTable(): Promise<readonly ProcessRow[]> {
  return process.platform === 'linux' ? fromProc(await numbered()) : fromPs();
}

/** Which of these processes carry a mark, and which. Empty where environments cannot be read. */
export async function marksOf(pids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const marks = new Map<number, string>();
  if (process.platform !== 'linux') return marks;
  await inBatches(pids, async (pid) => {
    const mark = await markOf(pid);
    if (mark !== undefined) marks.set(pid, mark);
  });
  return marks;
}

/** The mark every process under this one inherits. */
async function markOf(pid: number): Promise<string | undefined> {
  const environment = await readIfAllowed(`/proc/${pid}/environ`);
  const at = environment === undefined ? -1 : `\0${environment}`.indexOf(`\0${MARK}=`);
  if (environment === undefined || at < 0) return undefined;
  const from = at + MARK.length + 1;
  const end = environment.indexOf('\0', from);
  return environment.slice(from, end < 0 ? undefined : end);
}

/** Numbers of processes that may be younger than `pid`: higher ones, or all of them once the numbers began anew. */
export async function youngerThan(pid: number): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const [pids, load] = await Promise.all([numbered(), readIfAllowed('/proc/loadavg')]);
  const latest = Number(load?.trim().split(' ').at(-1)) || 0;
  return latest >= pid ? pids.filter((other) => other > pid) : pids;
}

/** The rows of those processes that still run. */
export async function rowsOf(pids: readonly number[]): Promise<readonly ProcessRow[]> {
  if (process.platform === 'linux') return fromProc(pids);
  const wanted = new Set(pids);
  return (await fromPs()).filter(({ pid }) => wanted.has(pid));
}

/** None when the system has no file handle left; the caller continues with what it knows. */
async function numbered(): Promise<readonly number[]> {
  try {
    return (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

async function fromProc(pids: readonly number[]): Promise<readonly ProcessRow[]> {
  const rows: ProcessRow[] = [];
  await inBatches(pids, async (pid) => {
    const line = await readIfAllowed(`/proc/${pid}/stat`);
    if (line !== undefined) rows.push(readStat(pid, line));
  });
  return rows;
}

/** proc_pid_stat(5). The name stands in brackets and may hold anything, brackets too. */
function readStat(pid: number, line: string): ProcessRow {
  const end = line.lastIndexOf(')');
  const fields = line.slice(end + 2).split(' ');
  const number = (index: number): number => Number(fields[index]);
  return {
    pid,
    name: line.slice(line.indexOf('(') + 1, end),
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    parent: number(1),
    group: number(2),
    session: number(3),
    startTime: number(19),
  };
}

async function fromPs(): Promise<readonly ProcessRow[]> {
  const listed = await exec({
    command: 'ps',
    args: ['-axo', 'pid=,ppid=,pgid=,stat=,comm='],
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 5000,
    maxOutputBytes: 4 * 1024 * 1024,
    signal: new AbortController().signal,
  });
  if (listed.kind !== 'exited') return [];
  return listed.stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, group, state, name] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/s.exec(line) ?? [];
      return pid === undefined
        ? []
        : [
            {
              pid: Number(pid),
              parent: Number(parent),
              group: Number(group),
              session: 0,
              zombie: state!.startsWith('Z'),
              name: name!.slice(name!.lastIndexOf('/') + 1),
              startTime: 0,
            },
          ];
    });
}

async function inBatches(pids: readonly number[], read: (pid: number) => Promise<void>): Promise<void> {
  for (let at = 0; at < pids.length; at += AT_ONCE) await Promise.all(pids.slice(at, at + AT_ONCE).map(read));
}

/** A process that ended meanwhile has no files any more; those of somebody else may be none of our business. */
async function readIfAllowed(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
