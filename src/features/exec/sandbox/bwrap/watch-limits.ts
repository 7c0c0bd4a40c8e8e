/** Checks whether a sandbox exceeded a limit, and which one. */
import { diskRoom, type DiskRoom } from '../../platform/disk-room.ts';
import { processCensus, type ProcessCount } from '../../platform/process-census.ts';
import { INSIDE_HOME } from '../backend.ts';
import type { SandboxSetting } from '../sandbox-setting.ts';

const MiB = 1024 * 1024;
/** bubblewrap itself and what holds it. */
const OVERHEAD = 8;
/** An empty file takes room too; counted as one block. */
const FILES_PER_MB = 256;
/** Under this the disk is in danger, whoever fills it: then what became less during the command counts as its own. */
const LOW_DISK_MB = 512;

/** A sentence when a limit was passed. */
export type LimitWatch = (pid: number) => Promise<string | undefined>;

/** `workspace`: on this machine; undefined when it cannot be written. */
export async function watchLimits({
  limits,
  workspace,
}: {
  limits: SandboxSetting['limits'];
  workspace: string | undefined;
}): Promise<LimitWatch> {
  const before = workspace === undefined ? undefined : await diskRoom(workspace);
  return async (pid) => {
    const inside = (await processCensus(pid, limits.processes * 2 + OVERHEAD)).filter(({ depth }) => depth > 1);
    return (
      tooMany(inside, limits) ??
      tooMuchMemory(inside, limits) ??
      tooMuchWritten(inside, limits) ??
      (await tooManyFiles(inside, limits)) ??
      (before && workspace !== undefined ? diskInDanger(before, await diskRoom(workspace), limits) : undefined)
    );
  };
}

type Limits = SandboxSetting['limits'];
const sum = (counts: readonly ProcessCount[], of: (count: ProcessCount) => number): number =>
  counts.reduce((total, count) => total + of(count), 0);
const passed = (what: string, setting: keyof Limits, limit: number | undefined): string =>
  `It ${what}; the sandbox allows ${limit} (sandbox.limits.${setting}).`;

/** The first process of the box is bubblewrap's. */
function tooMany(inside: readonly ProcessCount[], { processes }: Limits): string | undefined {
  const threads = sum(inside, (one) => one.threads) - 1;
  return threads > processes
    ? passed(`had more than ${processes} processes and threads`, 'processes', processes)
    : undefined;
}

function tooMuchMemory(inside: readonly ProcessCount[], { memoryMb }: Limits): string | undefined {
  const used = sum(inside, (one) => one.memoryBytes) / MiB;
  return used > memoryMb ? passed(`used ${Math.ceil(used)} MB of memory`, 'memoryMb', memoryMb) : undefined;
}

function tooMuchWritten(inside: readonly ProcessCount[], { diskMb }: Limits): string | undefined {
  const written = sum(inside, (one) => one.writtenBytes) / MiB;
  return written > diskMb ? passed(`wrote ${Math.ceil(written)} MB to the disk`, 'diskMb', diskMb) : undefined;
}

/** The kernel, whose limit is a little higher, was faster than the look. */
export const noMemoryLeft = ({ memoryMb }: Limits): string =>
  passed(`used more than ${memoryMb} MB of memory`, 'memoryMb', memoryMb);

/** Its own file systems are sized in bytes only. */
async function tooManyFiles(inside: readonly ProcessCount[], { diskMb }: Limits): Promise<string | undefined> {
  const first = inside.find(({ innerPid }) => innerPid === 1);
  // Until it has started the second one, the first still stands in the file system of the machine.
  if (first === undefined || inside.length < 2) return undefined;
  const rooms = await Promise.all(
    ['/tmp', INSIDE_HOME, '/dev/shm'].map((folder) => diskRoom(`/proc/${first.pid}/root${folder}`)),
  );
  const files = rooms.reduce((total, room) => total + (room?.usedFiles ?? 0), 0);
  return files > diskMb * FILES_PER_MB ? passed(`made ${files} files`, 'diskMb', diskMb) : undefined;
}

function diskInDanger(before: DiskRoom, now: DiskRoom | undefined, { diskMb }: Limits): string | undefined {
  if (!now) return undefined;
  const lost = (before.freeBytes - now.freeBytes) / MiB;
  if (lost > diskMb && now.freeBytes < LOW_DISK_MB * MiB)
    return passed(`ran while disk use grew by ${Math.ceil(lost)} MB`, 'diskMb', diskMb);
  const files = (before.freeFiles ?? 0) - (now.freeFiles ?? 0);
  return files > diskMb * FILES_PER_MB ? passed(`ran while ${files} files were created`, 'diskMb', diskMb) : undefined;
}
