/** Load, memory and disk space of this machine, for the page of the node. */
import { readTextIfExists } from '../platform/files.ts';

/** Zeros where the system does not say. */
export async function hostStats(): Promise<object> {
  const [load = '', memory = '', cpus = ''] = await Promise.all([
    readTextIfExists('/proc/loadavg'),
    readTextIfExists('/proc/meminfo'),
    readTextIfExists('/proc/stat'),
  ]);
  return {
    cpuCount: cpus.split('\n').filter((line) => /^cpu\d/.test(line)).length,
    loadAverage: load.split(' ').slice(0, 3).map(Number).filter(Number.isFinite),
    memoryTotalBytes: bytesOf('MemTotal', memory),
    memoryFreeBytes: bytesOf('MemAvailable', memory),
  };
}

function bytesOf(name: string, memory: string): number {
  const line = memory.split('\n').find((one) => one.startsWith(`${name}:`)) ?? '';
  return Number.parseInt(line.slice(name.length + 1), 10) * 1024 || 0;
}
