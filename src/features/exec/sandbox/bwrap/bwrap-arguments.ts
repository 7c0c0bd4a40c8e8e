/** The bubblewrap command line: mounts, hidden paths, and the shell inside. Pure. */
import type { BoxUser } from '../../platform/box-user.ts';
import type { Bubblewrap } from '../../platform/bubblewrap.ts';
import { INSIDE, INSIDE_HOME, type BoxedRequest } from '../backend.ts';
import type { SandboxSetting } from '../sandbox-setting.ts';
import { foldersAbove } from '../hidden-folders.ts';
import { etcArguments, openFolder } from './etc-files.ts';
import { prelude } from './prelude.ts';

export interface BoxFacts {
  readonly bubblewrap: Bubblewrap;
  /** Where the files for `/etc` lie. */
  readonly etc: string;
  /** The file with the kernel's filter for system calls. */
  readonly filter: string;
  /** Real path on this machine. */
  readonly workspace: string;
  /** Below the workspace, relative: folders that stay hidden. */
  readonly hidden: readonly string[];
  /** The same for what is there to be read and not to be changed. */
  readonly readOnly: readonly string[];
  /** Inside, absolute; undefined where there is none, then it is `/bin/sh`. */
  readonly bash: string | undefined;
}

const MiB = 1024 * 1024;
/** bubblewrap reads the filter from a handle. */
const WITH_FILTER = 'exec 3<"$0" && exec "$@"';
/**
 * What it writes to belongs to the box, as after a login: else `/dev/stderr` cannot be opened by its name. Never a
 * device of the machine.
 */
const ownerOf = ({ uid }: BoxUser): string =>
  'for handle in 0 1 2; do { [ -f /proc/self/fd/$handle ] || [ -p /proc/self/fd/$handle ] || [ -t $handle ]; ' +
  `} && chown ${uid} /proc/self/fd/$handle; done`;
/** Shared memory counts as memory; more than this is asked for by databases and browsers only. */
const SHARED_MEMORY_MB = 256;

/**
 * Room in `/tmp` and in the home, megabytes each: they are kept in memory, so they cannot be larger than that may be.
 */
export const tmpMb = ({ limits }: Pick<SandboxSetting, 'limits'>): number => Math.min(limits.diskMb, limits.memoryMb);
export const sharedMemoryMb = (setting: Pick<SandboxSetting, 'limits'>): number =>
  Math.min(SHARED_MEMORY_MB, tmpMb(setting));

export function bwrapArguments(
  { setting, shellCommand, env, cwd, pty }: BoxedRequest,
  { bubblewrap, etc, filter, workspace, hidden, readOnly, bash }: BoxFacts,
): readonly [string, ...string[]] {
  const tmpfs = (path: string, mode: string, megabytes: number): readonly string[] => [
    '--perms',
    mode,
    '--size',
    String(Math.floor(megabytes * MiB)),
    '--tmpfs',
    path,
  ];
  return [
    '/bin/sh',
    '-c',
    bubblewrap.user ? `${ownerOf(bubblewrap.user)}; ${WITH_FILTER}` : WITH_FILTER,
    filter,
    bubblewrap.program,
    ...bubblewrap.base,
    '--seccomp',
    '3',
    ...(setting.network ? [] : ['--unshare-net']),
    // Its terminal is made for this command alone, so there is nobody behind it to type for; without one it gets no
    // terminal at all.
    ...(pty ? [] : ['--new-session']),
    ...etcArguments(etc, setting.network),
    '--proc',
    '/proc',
    // A gateway of root owns the kernel's settings whatever rights are dropped: only a read-only mount keeps them.
    '--ro-bind',
    '/proc/sys',
    '/proc/sys',
    ...bubblewrap.machineFiles.flatMap((file) => ['--ro-bind', '/dev/null', file]),
    '--dev',
    '/dev',
    ...tmpfs('/dev/shm', '1777', sharedMemoryMb(setting)),
    ...tmpfs('/tmp', '1777', tmpMb(setting)),
    ...openFolder('/var'),
    '--symlink',
    '../tmp',
    '/var/tmp',
    // Root's folders are nobody else's: who is not root inside gets one that is everybody's, and nobody else is in
    // there.
    ...tmpfs(INSIDE_HOME, bubblewrap.user ? '1777' : '0700', tmpMb(setting)),
    setting.workspaceAccess === 'ro' ? '--ro-bind' : '--bind',
    workspace,
    INSIDE,
    ...foldersAbove([...hidden, ...readOnly]).flatMap((path) => [
      setting.workspaceAccess === 'ro' ? '--ro-bind' : '--bind',
      `${workspace}/${path}`,
      `${INSIDE}/${path}`,
    ]),
    ...readOnly.flatMap((path) => ['--ro-bind', `${workspace}/${path}`, `${INSIDE}/${path}`]),
    ...hidden.flatMap((path) => [...tmpfs(`${INSIDE}/${path}`, '0500', 1), '--remount-ro', `${INSIDE}/${path}`]),
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    '/',
    '--',
    ...bubblewrap.become,
    ...(bash === undefined ? ['/bin/sh'] : [bash, '--posix']),
    '-c',
    prelude({
      limits: setting.limits,
      names: Object.keys(env),
      countsProcesses: bubblewrap.countsProcesses,
      bash: bash !== undefined,
    }),
    'sandbox',
    cwd,
    bash ?? '/bin/sh',
    '-c',
    shellCommand,
  ];
}
