/**
 * Groups of processes whose number and memory the kernel itself limits; for root, whom no other limit on processes
 * holds.
 */
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { present } from '../../../core/present.ts';
import { listDir, readTextIfExists, statIfExists } from '../../../platform/files.ts';
import { ownUser } from '../../../platform/own-user.ts';
import { shortId } from '../../../platform/ids.ts';
import { pause } from '../../../platform/pause.ts';
import { errnoOf } from '../../../platform/storage-error.ts';

/** How much a group of processes may use together. */
export interface GroupLimits {
  readonly processes: number;
  readonly memoryBytes: number;
}

/** Makes groups of the kernel that limit processes. */
export interface ControlGroups {
  start(limits: GroupLimits): ControlGroup;
}

/** One group; it is removed when its processes are gone. */
export interface ControlGroup {
  /** Puts itself and the program behind it into the group. */
  readonly argv: readonly [string, ...string[]];
  /** True when the kernel ended something of it for want of memory; asked before `remove`. */
  ranOutOfMemory(): Promise<boolean>;
  /** When all in it have ended. */
  remove(): Promise<void>;
}

/** A kind of group: where it is made, and which file takes its limit. One folder may have both. */
interface Hierarchy {
  readonly folder: string;
  readonly limits: (limits: GroupLimits) => Readonly<Record<string, number>>;
}

const ROOT = '/sys/fs/cgroup';
const PREFIX = 'clawdbot-box-';
/** Its number tells whose process made the group: between its first step and its last, a group is empty and in use. */
const MAKER = /^clawdbot-box-(\d+)-/;
/** Errors of a system that gives no groups away: mounted read-only, or somebody else's. */
const CLOSED = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOSPC', 'EINVAL', 'EOPNOTSUPP']);
const REMOVE_TRIES = 40;
const REMOVE_EVERY_MS = 50;
const BUSY = new Set(['EBUSY', 'ENOTEMPTY', 'ENOENT']);

/** Undefined where groups cannot be made. What processes that are gone left empty is removed. */
export async function findControlGroups(): Promise<ControlGroups | undefined> {
  if (process.platform !== 'linux' || ownUser()?.uid !== 0) return undefined;
  const hierarchies = await findHierarchies();
  if (
    hierarchies.length === 0 ||
    !(await Promise.all(hierarchies.map(({ folder }) => takesGroups(folder)))).every(Boolean)
  )
    return undefined;
  for (const { folder } of hierarchies) await sweep(folder);
  return {
    start(limits) {
      const name = freshName();
      const steps = hierarchies.flatMap(({ folder, limits: settings }) => {
        const group = join(folder, name);
        return [
          `mkdir ${group}`,
          ...Object.entries(settings(limits)).map(([file, value]) => `echo ${value} > ${group}/${file}`),
          `echo $$ > ${group}/cgroup.procs`,
        ];
      });
      return {
        argv: ['/bin/sh', '-c', `${steps.join(' && ')} && exec "$@"`, 'sandbox'],
        ranOutOfMemory: async () =>
          (await Promise.all(hierarchies.map(({ folder }) => countsKills(join(folder, name))))).some(Boolean),
        remove: async () => void (await Promise.all(hierarchies.map(({ folder }) => removeGroup(join(folder, name))))),
      };
    },
  };
}

function freshName(): string {
  return `${PREFIX}${process.pid}-${shortId()}`;
}

/** What another process made stays as long as that process lives: a second gateway may just be filling its group. */
async function sweep(folder: string): Promise<void> {
  const left = (await listDir(folder)).filter(({ name }) => name.startsWith(PREFIX));
  await Promise.all(
    left.map(async ({ name }) => {
      const maker = MAKER.exec(name)?.[1];
      if (maker && (await statIfExists(`/proc/${maker}`))) return;
      await removeGroup(join(folder, name), 1);
    }),
  );
}

async function findHierarchies(): Promise<readonly Hierarchy[]> {
  const controllers = (await readTextIfExists(join(ROOT, 'cgroup.subtree_control')))?.split(/\s+/);
  if (controllers) {
    const memory = controllers.includes('memory');
    return controllers.includes('pids')
      ? [
          {
            folder: ROOT,
            limits: ({ processes, memoryBytes }) =>
              present({ 'pids.max': processes, 'memory.max': memory ? memoryBytes : undefined }),
          },
        ]
      : [];
  }
  // The older form: a tree for each kind of limit.
  const trees: readonly Hierarchy[] = [
    { folder: join(ROOT, 'pids'), limits: ({ processes }) => ({ 'pids.max': processes }) },
    { folder: join(ROOT, 'memory'), limits: ({ memoryBytes }) => ({ 'memory.limit_in_bytes': memoryBytes }) },
  ];
  const there = await Promise.all(trees.map(({ folder }) => statIfExists(join(folder, 'cgroup.procs'))));
  return there[0] ? trees.filter((_tree, index) => there[index]) : [];
}

/** The newer form tells in the one file, the older in the other. */
async function countsKills(group: string): Promise<boolean> {
  const counts = await Promise.all(
    ['memory.events', 'memory.oom_control'].map((file) => readTextIfExists(join(group, file)).catch(whenRemoved)),
  );
  return counts.some((text) => /^oom_kill [1-9]/m.test(text ?? ''));
}

/** A file of a group that is removed while it is being read. */
function whenRemoved(error: unknown): undefined {
  if (error instanceof Error && errnoOf(error.cause) === 'ENODEV') return undefined;
  throw error;
}

async function takesGroups(folder: string): Promise<boolean> {
  const group = join(folder, freshName());
  try {
    await mkdir(group);
    const complete = (await statIfExists(join(group, 'cgroup.procs'))) !== undefined;
    await rmdir(group);
    return complete;
  } catch (error) {
    if (CLOSED.has(errnoOf(error) ?? '')) return false;
    throw error;
  }
}

/** What was just killed takes a moment to leave; a group that is in use stays for the next sweep. */
async function removeGroup(path: string, tries = REMOVE_TRIES): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (!BUSY.has(code)) throw error;
    if (code === 'ENOENT' || tries <= 1) return;
    await pause(REMOVE_EVERY_MS);
    await removeGroup(path, tries - 1);
  }
}
