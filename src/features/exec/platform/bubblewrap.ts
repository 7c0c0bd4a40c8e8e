/** Whether bubblewrap works on this machine, and what of the system a box made with it needs to see. */
import { findBoxUser, type BoxUser } from './box-user.ts';
import { exec as runProgram, type ExecRequest, type ExecResult } from '../../../platform/exec.ts';
import { readTextIfExists, statIfExists } from '../../../platform/files.ts';
import { findProgram } from '../../../platform/find-program.ts';
import { linkTarget } from './link-target.ts';
import { ownUser } from '../../../platform/own-user.ts';

/** The sandbox program of this machine and how it is called. */
export interface Bubblewrap {
  /** Absolute. */
  readonly program: string;
  readonly version: string;
  /** Begins every command line: namespaces but for that of the network, no rights, the system's programs. */
  readonly base: readonly string[];
  /** Whom the box runs as on this machine; undefined: the gateway's own user. */
  readonly user: BoxUser | undefined;
  /** Goes before the program in the box: becomes that user, for good. */
  readonly become: readonly string[];
  /** Files of `/proc` that tell of the whole machine, or change it, and are there. */
  readonly machineFiles: readonly string[];
  /**
   * The kernel counts the processes of each box by itself; before 5.14 it counts all of the user's, never those of
   * root.
   */
  readonly countsProcesses: boolean;
}

/** Where to look for it; `path` is a `PATH`. */
export interface BubblewrapSearch {
  readonly path: string | undefined;
  readonly exec?: (request: ExecRequest) => Promise<ExecResult>;
}

const PROBE_MS = 5000;
/** Where programs and libraries live beside `/usr`; on most systems links into it. */
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const MACHINE_FILES = [
  'kcore',
  'keys',
  'kmsg',
  'kpagecgroup',
  'kpagecount',
  'kpageflags',
  'latency_stats',
  'mtrr',
  'pagetypeinfo',
  'sched_debug',
  'slabinfo',
  'sysrq-trigger',
  'timer_list',
  'vmallocinfo',
];

/** Runs one empty box. The problem is a sentence that says what to do. */
export async function findBubblewrap({
  path,
  exec = runProgram,
}: BubblewrapSearch): Promise<Bubblewrap | { readonly problem: string }> {
  if (process.platform !== 'linux')
    return { problem: 'bubblewrap supports Linux only; on this system use Docker for sandboxes.' };
  const program = await findProgram('bwrap', path);
  if (program === undefined)
    return {
      problem: 'bubblewrap is not installed: `apt install bubblewrap` (or dnf, pacman, apk) installs `bwrap`.',
    };
  const run = (args: readonly string[]): Promise<ExecResult> =>
    exec({
      command: program,
      args,
      env: { PATH: '/usr/bin:/bin' },
      timeoutMs: PROBE_MS,
      maxOutputBytes: 64 * 1024,
      signal: new AbortController().signal,
    });
  const version = (await run(['--version'])).stdout
    .toString('utf8')
    .trim()
    .replace(/^bubblewrap /, '');
  const [system, user] = await Promise.all([systemFolders(), findBoxUser()]);
  if (user && 'problem' in user) return user;
  for (const rights of user ? [AS_ROOT] : AS_ORDINARY_USER) {
    const base = [...NAMESPACES, ...rights, ...system];
    const become = user ? becoming(user) : [];
    const tried = await run([
      ...base,
      '--unshare-net',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--size',
      '1048576',
      '--tmpfs',
      '/tmp',
      '--',
      ...become,
      '/bin/sh',
      '-c',
      'exit 0',
    ]);
    if (tried.kind === 'exited' && tried.code === 0)
      return { program, version, base, user, become, ...(await kernelFacts()) };
    if (!/unknown option/i.test(tried.stderr)) return { problem: whyNot(tried, user !== undefined) };
  }
  return { problem: `bubblewrap ${version} is too old: 0.6 or newer is needed.` };
}

const NAMESPACES = [
  '--unshare-ipc',
  '--unshare-pid',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
  '--die-with-parent',
  '--hostname',
  'sandbox',
];
/**
 * Root makes the box without a namespace of users: those map numbers only to the one who makes them, and that is root.
 * What it keeps is for becoming another user.
 */
const AS_ROOT = ['SETUID', 'SETGID', 'SETPCAP'].flatMap((right) => ['--cap-add', `CAP_${right}`]);
/** Old ones cannot take the right to make further namespaces away; the box holds without. */
const AS_ORDINARY_USER = [['--disable-userns'], []].map((more) => [
  '--unshare-user',
  '--uid',
  '1000',
  '--gid',
  '1000',
  ...more,
]);

const becoming = ({ uid, gid }: BoxUser): readonly string[] => [
  '/usr/bin/setpriv',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--inh-caps=-all',
  '--ambient-caps=-all',
  '--bounding-set=-all',
  '--no-new-privs',
  '--',
];

async function systemFolders(): Promise<readonly string[]> {
  const folders = await Promise.all(
    SYSTEM_FOLDERS.map(async (folder) => {
      const target = await linkTarget(folder);
      if (target !== undefined) return ['--symlink', target, folder];
      return (await statIfExists(folder)) ? ['--ro-bind', folder, folder] : [];
    }),
  );
  return ['--ro-bind', '/usr', '/usr', ...folders.flat()];
}

async function kernelFacts(): Promise<Pick<Bubblewrap, 'machineFiles' | 'countsProcesses'>> {
  const there = await Promise.all(
    MACHINE_FILES.map(async (name) => ((await statIfExists(`/proc/${name}`)) ? [`/proc/${name}`] : [])),
  );
  const [major = 0, minor = 0] = ((await readTextIfExists('/proc/sys/kernel/osrelease')) ?? '').split('.').map(Number);
  return {
    machineFiles: there.flat(),
    countsProcesses: ownUser()?.uid !== 0 && (major > 5 || (major === 5 && minor >= 14)),
  };
}

function whyNot(tried: ExecResult, root: boolean): string {
  const said = tried.stderr.trim().split('\n').at(-1)?.slice(0, 300);
  const how =
    tried.kind === 'not_started'
      ? tried.reason
      : tried.kind === 'timeout'
        ? `it did not respond within ${PROBE_MS / 1000} s`
        : said || `it ended (${tried.kind})`;
  if (root)
    return (
      `bubblewrap is installed but cannot create a sandbox as root: ${how}. It needs the right to mount ` +
      '(CAP_SYS_ADMIN, in a container too) and /usr/bin/setpriv of util-linux, so that processes in the sandbox are ' +
      'not root. Or run the gateway as a separate user.'
    );
  return (
    `bubblewrap is installed but cannot create a sandbox: ${how}. Unprivileged user namespaces must be allowed: ` +
    `\`sysctl kernel.unprivileged_userns_clone=1\` (Debian), \`sysctl ` +
    `kernel.apparmor_restrict_unprivileged_userns=0\` or an AppArmor profile for bwrap (Ubuntu 23.10 and ` +
    'newer); inside a container, the container must allow them.'
  );
}
