/** Distinguishes a process from a later one with the same process id, and ends exactly that process. */
import { readFile } from 'node:fs/promises';
import { exec } from './exec.ts';
import { errnoOf } from './storage-error.ts';

/** What the system says about a process id at one moment. */
interface Seen {
  readonly birth: string;
  /** It ended; its parent has not collected its exit status yet. */
  readonly zombie: boolean;
}

/**
 * When a process began, as an opaque text that is the same whenever it is read and differs for every other process;
 * undefined when there is none. A zombie still has one.
 */
export const startTimeOf = async (pid: number): Promise<string | undefined> => (await seen(pid))?.birth;

/** True when that very process still runs; a zombie does not. */
export async function stillRuns(pid: number, birth: string): Promise<boolean> {
  const now = await seen(pid);
  return now !== undefined && now.birth === birth && !now.zombie;
}

/** Sends SIGKILL to that process, and to no later one with its id. One that is gone or another user's is left alone. */
export async function endProcess({ pid, birth }: { readonly pid: number; readonly birth: string }): Promise<void> {
  if (!(await stillRuns(pid, birth))) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH' && errnoOf(error) !== 'EPERM') throw error;
  }
}

function seen(pid: number): Promise<Seen | undefined> {
  if (process.platform === 'linux') return seenInProc(pid);
  return process.platform === 'win32' ? seenBySignal(pid) : seenByPs(pid);
}

/** Clock ticks since boot, and which boot: the same ticks come round after a restart of the machine. */
async function seenInProc(pid: number): Promise<Seen | undefined> {
  const [boot, stat] = await Promise.all([textOf('/proc/sys/kernel/random/boot_id'), textOf(`/proc/${pid}/stat`)]);
  if (stat === undefined) return undefined;
  // proc_pid_stat(5): the name stands in brackets and may hold anything; field 3, the state, follows the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { birth: `${boot?.trim() ?? 'unknown'}:${fields[19]}`, zombie: fields[0] === 'Z' || fields[0] === 'X' };
}

async function seenByPs(pid: number): Promise<Seen | undefined> {
  const listed = await exec({
    command: 'ps',
    args: ['-o', 'stat=,lstart=', '-p', String(pid)],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    timeoutMs: 5000,
    maxOutputBytes: 1024,
    signal: new AbortController().signal,
  });
  if (listed.kind !== 'exited' || listed.code !== 0) return undefined;
  const line = listed.stdout.toString('utf8').trim();
  const gap = line.indexOf(' ');
  return gap < 0 ? undefined : { birth: line.slice(gap).trim(), zombie: line.startsWith('Z') };
}

/** Windows does not say when a process began. */
async function seenBySignal(pid: number): Promise<Seen | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errnoOf(error) !== 'EPERM') return undefined;
  }
  return { birth: 'unknown', zombie: false };
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
