/** Sandboxes with bubblewrap: one sandbox per command, no daemon, no privileges. */
import { join } from 'node:path';
import type { BoxUser } from '../../platform/box-user.ts';
import { findBubblewrap, type Bubblewrap } from '../../platform/bubblewrap.ts';
import { findControlGroups, type ControlGroups, type GroupLimits } from '../../platform/control-group.ts';
import type { ExecRequest, ExecResult } from '../../../../platform/exec.ts';
import { writeFileAtomic } from '../../../../platform/files.ts';
import { findProgram } from '../../../../platform/find-program.ts';
import { INSIDE, INSIDE_HOME, type Backend, type BoxedRequest } from '../backend.ts';
import { carried } from '../carried.ts';
import { prepareWorkspace } from '../prepare-workspace.ts';
import type { SandboxExplained, SandboxSetting } from '../sandbox-setting.ts';
import { bwrapArguments, sharedMemoryMb, tmpMb } from './bwrap-arguments.ts';
import { writeEtc } from './etc-files.ts';
import { HEADROOM, maxProcesses } from './prelude.ts';
import { systemCallFilter } from './system-calls.ts';
import { noMemoryLeft, watchLimits } from './watch-limits.ts';

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';

export interface BwrapDeps {
  readonly vars: Readonly<Record<string, string>>;
  readonly stateDir: string;
  readonly firstWords: Readonly<Record<string, string>>;
  exec(request: ExecRequest): Promise<ExecResult>;
}

export function createBwrapBackend({ vars, stateDir, firstWords, exec }: BwrapDeps): Backend {
  let found: (Bubblewrap & { readonly groups: ControlGroups | undefined }) | undefined;
  const etc = join(stateDir, 'sandboxes', 'etc');
  const filter = join(stateDir, 'sandboxes', 'system-calls.bpf');

  return {
    name: 'bwrap',
    async probe() {
      if (found) return { version: found.version };
      const probed = await findBubblewrap({ path: vars['PATH'], exec });
      if ('problem' in probed) return probed;
      found = { ...probed, groups: await findControlGroups() };
      return { version: found.version };
    },
    async wrap(request) {
      const { setting } = request;
      const calls = systemCallFilter(process.arch);
      if (!calls)
        return {
          problem:
            'The sandbox of this session cannot be created, so nothing was run. bubblewrap has no filter of ' +
            `system calls for ${process.arch}; use Docker.`,
        };
      const { user } = found!;
      const prepared = await prepareWorkspace(request, { stateDir, firstWords, user, exec });
      if ('problem' in prepared) return prepared;
      const { workspace, hidden, mounts } = prepared;
      await Promise.all([writeEtc(etc, user), writeFileAtomic(filter, calls, { sync: false })]);
      const env = insideEnv(request);
      const facts = {
        bubblewrap: found!,
        etc,
        filter,
        workspace,
        hidden,
        readOnly: mounts.below,
        bash: await findProgram('bash', '/usr/bin:/bin'),
      };
      const argv = bwrapArguments({ ...request, env }, facts);
      const group = found!.groups?.start(kernelLimits(setting));
      const killedByKernel =
        group && (async () => ((await group.ranOutOfMemory()) ? noMemoryLeft(setting.limits) : undefined));
      const watch = await watchLimits({
        limits: setting.limits,
        workspace: setting.workspaceAccess === 'ro' ? undefined : workspace,
      });
      return {
        argv: group ? [...group.argv, ...argv] : argv,
        ...(group && killedByKernel && { lastWord: killedByKernel, onEnd: () => group.remove() }),
        env: { PATH: SYSTEM_PATH, ...carried(env) },
        cwd: workspace,
        // What the kernel ended one process of goes altogether: the rest would wait for it, or go on with half of its
        // work.
        guard: async (pid) => (await mounts.broken()) ?? (await watch(pid)) ?? killedByKernel?.(),
      };
    },
    mounts,
    notes: (setting) => [
      whoItIs(found?.user),
      ...notes(setting, found?.countsProcesses === true || found?.groups !== undefined),
    ],
  };
}

/** A little above the limits the watcher names, so that a box is ended by name instead of lingering at the edge. */
const kernelLimits = ({ limits }: SandboxSetting): GroupLimits => ({
  processes: maxProcesses(limits),
  memoryBytes: Math.floor(limits.memoryMb * 1024 * 1024 * HEADROOM),
});

/** Its own defaults, then what was asked for; a `PATH` that was asked for is searched first. */
function insideEnv({ env, pty }: BoxedRequest): Record<string, string> {
  const { PATH: first, ...others } = env;
  return {
    HOME: INSIDE_HOME,
    USER: 'sandbox',
    LOGNAME: 'sandbox',
    LANG: 'C.UTF-8',
    TERM: pty ? 'xterm-256color' : 'dumb',
    ...others,
    PATH: first ? `${first}:${SYSTEM_PATH}` : SYSTEM_PATH,
  };
}

function mounts({ workspaceAccess }: SandboxSetting): SandboxExplained['mounts'] {
  return [
    { path: INSIDE, access: workspaceAccess === 'ro' ? 'ro' : 'rw' },
    { path: INSIDE_HOME, access: 'empty' },
    { path: '/tmp', access: 'empty' },
    { path: '/dev/shm', access: 'empty' },
    { path: '/usr', access: 'ro' },
    { path: '/etc (a few files)', access: 'ro' },
  ];
}

const whoItIs = (user: BoxUser | undefined): string =>
  user
    ? `Processes run as the unprivileged user ${user.uid} of this machine, who owns the workspace.`
    : 'Processes run as the user of the gateway, without capabilities; the files belong to that user.';

function notes(setting: SandboxSetting, countsProcesses: boolean): readonly string[] {
  return [
    setting.network
      ? 'The network is that of the machine, with every service on it, including the gateway.'
      : 'There is no network; services of this machine are not reachable either.',
    'Home directories, the rest of the disk, other processes, devices, and sockets of the desktop or of ' +
      'Docker are not visible.',
    `/tmp and ${INSIDE_HOME} hold ${tmpMb(setting)} MB each, /dev/shm ${sharedMemoryMb(setting)} MB; they ` +
      'are empty when a command starts and deleted when it ends.',
    `Memory, ${countsProcesses ? '' : 'processes, '}and writes to the workspace are monitored, and ` +
      'the command is killed when it exceeds a ' +
      `limit${countsProcesses ? '; the kernel counts the processes' : ''}.`,
    'Processes that a command starts end with it.',
  ];
}
