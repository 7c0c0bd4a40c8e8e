/** Tells a process from a later one of the same number, and ends that very process. */
import { readFile } from 'node:fs/promises';
import { exec } from '../../../platform/exec.ts';
import { errnoOf } from '../../../platform/storage-error.ts';

const PS = { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, timeoutMs: 5000, maxOutputBytes: 1024 } as const;

/** When a process began, the same text whenever it is asked for; undefined when it is gone or waits to be buried. */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'win32') return isThere(pid) ? 'unknown' : undefined;
  if (process.platform !== 'linux') return startedAt(pid);
  const [boot, stat] = await Promise.all([textOf('/proc/sys/kernel/random/boot_id'), textOf(`/proc/${pid}/stat`)]);
  // The program's name stands in brackets and may hold anything; the fields are counted from behind it (proc_pid_stat).
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || /[ZX]/.test(fields[0] ?? '') ? undefined : `${boot?.trim()}:${fields[19]}`;
}

/** True while that very process runs. */
export const stillRuns = async (pid: number, birth: string): Promise<boolean> => (await birthOf(pid)) === birth;

/** Ends that process, and no later one of its number. */
export async function endProcess({ pid, birth }: { readonly pid: number; readonly birth: string }): Promise<void> {
  if (!(await stillRuns(pid, birth))) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH' && errnoOf(error) !== 'EPERM') throw error;
  }
}

async function startedAt(pid: number): Promise<string | undefined> {
  const args = ['-o', 'lstart=', '-p', String(pid)];
  const found = await exec({ ...PS, command: 'ps', args, signal: new AbortController().signal });
  return found.kind === 'exited' && found.code === 0 ? found.stdout.toString('utf8').trim() || undefined : undefined;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
