/** Tells a process from a later one with the same process id. */
import { readFile } from 'node:fs/promises';
import { exec } from '../../../platform/exec.ts';
import { errnoOf } from '../../../platform/storage-error.ts';
import { rowsOf } from './process-table.ts';

/** True for a running process, also for one we may not signal. */
function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}

/**
 * When the process started, in clock ticks since boot; undefined where `/proc` does not say. A recycled pid has another
 * value.
 */
async function processStartTime(pid: number): Promise<string | undefined> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets and may contain anything; field 22 is counted from behind it.
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * When a process began, as an opaque text that is the same whenever it is asked for and for no other process; undefined
 * when it is gone.
 */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const [boot, ticks] = await Promise.all([bootId(), processStartTime(pid)]);
    return ticks === undefined ? undefined : `${boot}:${ticks}`;
  }
  if (process.platform === 'win32') return isProcessAlive(pid) ? 'unknown' : undefined;
  const result = await exec({
    command: 'ps',
    args: ['-o', 'lstart=', '-p', String(pid)],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    timeoutMs: 5000,
    maxOutputBytes: 1024,
    signal: new AbortController().signal,
  });
  return result.kind === 'exited' && result.code === 0 ? result.stdout.toString('utf8').trim() || undefined : undefined;
}

/** True when that very process still runs; one that only waits to be buried does not. */
export async function stillRuns(pid: number, birth: string): Promise<boolean> {
  if (!isProcessAlive(pid) || (await birthOf(pid)) !== birth) return false;
  return process.platform === 'win32' || (await rowsOf([pid])).some((row) => !row.zombie);
}

/** Start times count from the boot of the machine. */
async function bootId(): Promise<string> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'latin1')).trim();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return 'unknown';
  }
}
