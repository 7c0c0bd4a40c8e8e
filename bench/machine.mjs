/** Measures resource use: CPU time and resident memory of a process, and the CPU share of other programs. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;
const CORES = cpus().length;

/** CPU time of a process in ms, its ended children included; NaN where there is no /proc. */
export function cpuMs(pid) {
  const stat = readProc(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields ? TICK_MS * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) : NaN;
}

/** Resident memory of a process in MiB; NaN where there is no /proc. */
export const rssMiB = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1] ?? NaN) / 1024;

/** KiB a process has given to files so far, in whole pages of the system's; NaN where there is no /proc. */
export const writtenKiB = (pid) =>
  Number(/^write_bytes: (\d+)/m.exec(readProc(`/proc/${pid}/io`) ?? '')?.[1] ?? NaN) / 1024;

/**
 * Waits for a second in which the machine is less than a tenth busy, at most `limitMs`; resolves with the last busy
 * share.
 */
export async function quiet(limitMs) {
  for (const end = Date.now() + limitMs; ; ) {
    const before = busyMs();
    await sleep(500);
    const share = (busyMs() - before) / 500 / CORES;
    if (share < 0.1 || Date.now() >= end) return share;
  }
}

/**
 * Starts counting; the result tells which share of the machine programs other than ours (`pids`, this one and its
 * children) took since.
 */
export function watchNoise(pids) {
  const own = () => [process.pid, ...pids()].reduce((sum, pid) => sum + (cpuMs(pid) || 0), 0);
  const start = { at: performance.now(), busy: busyMs(), own: own() };
  return () => Math.max(0, (busyMs() - start.busy - (own() - start.own)) / (performance.now() - start.at) / CORES);
}

function busyMs() {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

function readProc(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}
