/** The command lines for Docker: the container of a sandbox, and a command in it. Pure. */
import { INSIDE, INSIDE_HOME, type BoxedRequest } from '../backend.ts';
import { carrierOf, unpacked } from '../carried.ts';
import { foldersAbove } from '../hidden-folders.ts';
import { folderName } from '../resolve-sandbox.ts';
import type { SandboxSetting } from '../sandbox-setting.ts';

const MiB = 1024 * 1024;
/** Marks everything a command starts, so that it can be ended: ending `docker exec` alone ends nothing inside. */
export const RUN_MARK = 'SANDBOXED_RUN';

export interface ContainerId {
  /** Tells gateways apart that share an engine. */
  readonly instance: string;
  /**
   * What every turn is told is kept from it: a container of its own, so that nothing those in it leave in `/tmp` or the
   * home is run in one that may change it.
   */
  readonly readOnly: boolean;
}

export const containerName = (
  { scopeKey }: Pick<SandboxSetting, 'scopeKey'>,
  { instance, readOnly }: ContainerId,
): string => `clawdbot-sandbox-${folderName(scopeKey)}-${instance}${readOnly ? '-sealed' : ''}`;

export interface CreateFacts {
  readonly name: string;
  /** The file with the filter for system calls, for Docker's client to read. */
  readonly filter: string;
  /** `uid:gid`. */
  readonly user: string;
  /** Tells containers of other settings apart. */
  readonly fingerprint: string;
  /** Real path on this machine. */
  readonly workspace: string;
  /** Below it, relative: folders that stay hidden. */
  readonly hidden: readonly string[];
  /** The same for what is there to be read and not to be changed. */
  readonly readOnly: readonly string[];
}

/** Docker reads it as a line of CSV. */
const mount = (fields: readonly string[]): string =>
  fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');

/** Behind `docker`. The container idles; commands are started in it. */
export function createArguments(
  setting: SandboxSetting,
  { name, filter, user, fingerprint, workspace, hidden, readOnly }: CreateFacts,
): readonly string[] {
  const { limits, network, workspaceAccess, docker } = setting;
  const folder = (path: string, access: 'as-workspace' | 'ro'): readonly string[] => [
    '--mount',
    mount([
      'type=bind',
      `source=${workspace}${path}`,
      `target=${INSIDE}${path}`,
      ...(access === 'ro' || workspaceAccess === 'ro' ? ['readonly'] : []),
    ]),
  ];
  const room = Math.floor(Math.min(limits.diskMb, limits.memoryMb) * MiB);
  return [
    'create',
    '--name',
    name,
    '--label',
    `clawdbot.sandbox=${fingerprint}`,
    '--init',
    '--network',
    network ? 'bridge' : 'none',
    '--memory',
    `${limits.memoryMb}m`,
    '--memory-swap',
    `${limits.memoryMb}m`,
    '--pids-limit',
    String(limits.processes),
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--security-opt',
    `seccomp=${filter}`,
    '--user',
    user,
    '--hostname',
    'sandbox',
    '--ulimit',
    'core=0',
    '--ulimit',
    `fsize=${Math.floor(limits.diskMb * MiB)}`,
    // What a setup command installs has to go somewhere.
    ...(docker.setupCommand === undefined ? ['--read-only'] : []),
    '--tmpfs',
    `/tmp:rw,nosuid,nodev,mode=1777,size=${room}`,
    '--tmpfs',
    `${INSIDE_HOME}:rw,nosuid,nodev,mode=1777,size=${room}`,
    '--shm-size',
    '64m',
    ...folder('', 'as-workspace'),
    ...foldersAbove([...hidden, ...readOnly]).flatMap((path) => folder(`/${path}`, 'as-workspace')),
    ...readOnly.flatMap((path) => folder(`/${path}`, 'ro')),
    ...hidden.flatMap((path) => [
      '--mount',
      mount(['type=tmpfs', `target=${INSIDE}/${path}`, `tmpfs-size=${MiB}`, 'tmpfs-mode=0500', 'readonly']),
    ]),
    '--workdir',
    INSIDE,
    '--env',
    `HOME=${INSIDE_HOME}`,
    '--',
    docker.image,
    'sleep',
    'infinity',
  ];
}

/**
 * Behind `docker`. Values are in the environment of its client, never among its arguments, which everybody on the
 * machine can read. A `PATH`
 * goes before the login shell's own; without variables the command is passed untouched.
 */
export function execArguments(
  { shellCommand, env, cwd, pty }: BoxedRequest,
  name: string,
  run: string,
): readonly string[] {
  // An empty one would have the folder of the command searched.
  const names = Object.keys(env).filter((variable) => variable !== 'PATH' || env[variable] !== '');
  const variables = names.map((variable) => `${unpacked(variable, variable === 'PATH' ? ':$PATH' : '')}; `);
  return [
    'exec',
    '-i',
    ...(pty ? ['-t'] : []),
    '-w',
    cwd,
    '-e',
    `HOME=${INSIDE_HOME}`,
    '-e',
    `${RUN_MARK}=${run}`,
    ...names.flatMap((variable) => ['-e', carrierOf(variable)]),
    name,
    'sh',
    '-lc',
    variables.join('') + shellCommand,
  ];
}

/** Behind `docker`: ends what one command started in the container. */
export const endArguments = (name: string, run: string): readonly string[] => [
  'exec',
  name,
  'sh',
  '-c',
  `for p in /proc/[0-9]*; do grep -qs "${RUN_MARK}=${run}" "$p/environ" && kill -9 "\${p#/proc/}"; done; true`,
];
