/** The command lines for Docker: the container that holds a sandbox, and a command in it. Pure. */
import { INSIDE, INSIDE_HOME, type BoxedRequest } from '../backend.ts';
import { foldersAbove } from '../hidden-folders.ts';
import { folderName } from '../resolve-sandbox.ts';
import type { SandboxSetting } from '../sandbox-setting.ts';

const MiB = 1024 * 1024;
/** Carries the folders to search first, so that their text is never read as a command. */
const PATH_CARRIER = 'SANDBOXED_PATH';
/** Marks everything a command starts, so that it can be ended: ending `docker exec` alone ends nothing inside. */
export const RUN_MARK = 'SANDBOXED_RUN';

export const containerName = ({ scopeKey }: Pick<SandboxSetting, 'scopeKey'>): string => `clawdbot-sandbox-${folderName(scopeKey)}`;

export interface CreateFacts {
  /** `uid:gid`. */
  readonly user: string;
  /** Tells containers of other settings apart. */
  readonly fingerprint: string;
  /** Real path on this machine. */
  readonly workspace: string;
  /** Below it, relative: folders that stay hidden. */
  readonly hidden: readonly string[];
}

/** Docker reads it as a line of CSV. */
const mount = (fields: readonly string[]): string => fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');

/** Behind `docker`. The container idles; commands are started in it. */
export function createArguments(setting: SandboxSetting, { user, fingerprint, workspace, hidden }: CreateFacts): readonly string[] {
  const { limits, network, workspaceAccess, docker } = setting;
  const room = Math.floor(Math.min(limits.diskMb, limits.memoryMb) * MiB);
  return [
    'create', '--name', containerName(setting), '--label', `clawdbot.sandbox=${fingerprint}`, '--init',
    '--network', network ? 'bridge' : 'none',
    '--memory', `${limits.memoryMb}m`, '--memory-swap', `${limits.memoryMb}m`, '--pids-limit', String(limits.processes),
    '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--user', user, '--hostname', 'sandbox',
    '--ulimit', 'core=0', '--ulimit', `fsize=${Math.floor(limits.diskMb * MiB)}`,
    // What a setup command installs has to go somewhere.
    ...(docker.setupCommand === undefined ? ['--read-only'] : []),
    '--tmpfs', `/tmp:rw,nosuid,nodev,mode=1777,size=${room}`, '--tmpfs', `${INSIDE_HOME}:rw,nosuid,nodev,mode=1777,size=${room}`, '--shm-size', '64m',
    '--mount', mount(['type=bind', `source=${workspace}`, `target=${INSIDE}`, ...(workspaceAccess === 'ro' ? ['readonly'] : [])]),
    ...foldersAbove(hidden).flatMap((path) => ['--mount', mount(['type=bind', `source=${workspace}/${path}`, `target=${INSIDE}/${path}`, ...(workspaceAccess === 'ro' ? ['readonly'] : [])])]),
    ...hidden.flatMap((path) => ['--mount', mount(['type=tmpfs', `target=${INSIDE}/${path}`, `tmpfs-size=${MiB}`, 'tmpfs-mode=0500', 'readonly'])]),
    '--workdir', INSIDE, '--env', `HOME=${INSIDE_HOME}`,
    '--', docker.image, 'sleep', 'infinity',
  ];
}

/** Behind `docker`. A `PATH` in the environment goes before the login shell's own; without one the command is passed untouched. */
export function execArguments({ setting, shellCommand, env, cwd, pty }: BoxedRequest, run: string): readonly string[] {
  const { PATH: first, ...others } = env;
  const variables = { HOME: INSIDE_HOME, ...others, [RUN_MARK]: run, ...(first && { [PATH_CARRIER]: first }) };
  return [
    'exec', '-i', ...(pty ? ['-t'] : []), '-w', cwd,
    ...Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    containerName(setting), 'sh', '-lc',
    first ? `export PATH="$${PATH_CARRIER}:$PATH"; unset ${PATH_CARRIER}; ${shellCommand}` : shellCommand,
  ];
}

/** Behind `docker`: ends what one command started in the container. */
export const endArguments = (setting: SandboxSetting, run: string): readonly string[] => [
  'exec', containerName(setting), 'sh', '-c', `for p in /proc/[0-9]*; do grep -qs "${RUN_MARK}=${run}" "$p/environ" && kill -9 "\${p#/proc/}"; done; true`,
];
