/** Sandboxes in Docker: one idle container per scope, and `docker exec` for each command. */
import { join } from 'node:path';
import type { Log } from '../../../../core/log.ts';
import { present } from '../../../../core/present.ts';
import type { ExecRequest, ExecResult } from '../../../../platform/exec.ts';
import { findBoxUser, NOBODYS, type BoxUser } from '../../platform/box-user.ts';
import { readTextIfExists, writeFileAtomic } from '../../../../platform/files.ts';
import { findProgram } from '../../../../platform/find-program.ts';
import { sha256Hex, shortId } from '../../../../platform/ids.ts';
import { ownUser } from '../../../../platform/own-user.ts';
import { INSIDE, INSIDE_HOME, type Backend } from '../backend.ts';
import { carried } from '../carried.ts';
import { prepareWorkspace } from '../prepare-workspace.ts';
import type { SandboxExplained, SandboxSetting } from '../sandbox-setting.ts';
import { createContainers, type Run } from './containers.ts';
import { containerName, execArguments } from './docker-arguments.ts';
import { CALL_PROFILE } from './system-calls.ts';

export interface DockerDeps {
  readonly vars: Readonly<Record<string, string>>;
  readonly log: Log;
  /** Absolute. */
  readonly stateDir: string;
  readonly firstWords: Readonly<Record<string, string>>;
  exec(request: ExecRequest): Promise<ExecResult>;
}

/** How the client finds its engine; nothing else of the gateway's environment is handed on. */
const CLIENT_VARIABLES = [
  'PATH',
  'HOME',
  'XDG_RUNTIME_DIR',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_CERT_PATH',
  'DOCKER_TLS_VERIFY',
];
const ASK_MS = 10_000;

interface Engine {
  readonly program: string;
  readonly version: string;
  readonly rootless: boolean;
}
/** Whose a container is: a user of this machine to whom the workspace is given, or by number. */
type Who = { readonly user: string; readonly give?: BoxUser } | { readonly problem: string };

export function createDockerBackend({ vars, log, stateDir, firstWords, exec }: DockerDeps): Backend {
  const env = Object.fromEntries(CLIENT_VARIABLES.flatMap((name) => (vars[name] ? [[name, vars[name]]] : [])));
  let engine: Engine | undefined;
  const instance = sha256Hex(stateDir).slice(0, 8);
  const filter = join(stateDir, 'sandboxes', 'docker-system-calls.json');

  const run: Run = async (args, timeoutMs = ASK_MS) => {
    const result = await exec({
      command: engine?.program ?? 'docker',
      args,
      env,
      timeoutMs,
      maxOutputBytes: 64 * 1024,
      signal: new AbortController().signal,
    });
    if (result.kind === 'exited' && result.code === 0) return { out: result.stdout.toString('utf8').trim() };
    return { problem: whyNot(result, timeoutMs).slice(0, 300) };
  };

  const containers = createContainers(run);

  return {
    name: 'docker',
    async probe() {
      const program = engine?.program ?? (await findProgram('docker', env['PATH']));
      if (program === undefined) return { problem: 'Docker is not installed.' };
      if (engine) return { version: engine.version };
      const info = await run(['info', '--format', '{{.ServerVersion}} {{.SecurityOptions}}']);
      if ('problem' in info)
        return {
          problem: `The Docker engine does not respond (${info.problem}); start it and check that this user may use it.`,
        };
      const [version = '', ...security] = info.out.split(' ');
      engine = { program, version, rootless: security.join(' ').includes('rootless') };
      return { version };
    },
    async wrap(request) {
      const { setting } = request;
      const who = await whoIn(engine!);
      if ('problem' in who) return who;
      const prepared = await prepareWorkspace(request, { stateDir, firstWords, user: who.give, exec });
      if ('problem' in prepared) return prepared;
      const { workspace, hidden, mounts } = prepared;
      await writeFilter(filter);
      const readOnly = mounts.below.length > 0;
      const name = containerName(setting, { instance, readOnly });
      const facts = { name, filter, user: who.user, workspace, hidden, readOnly: mounts.below };
      const taken = await containers.take({ setting, facts, stamp: mounts.stamp });
      if (taken) return taken;
      const mark = shortId();
      return {
        argv: [engine!.program, ...execArguments(request, name, mark)],
        env: { ...env, ...carried(request.env) },
        cwd: setting.workspace,
        guard: () => mounts.broken(),
        onEnd: async () => {
          const ended = await containers.leave(name, {
            mark,
            wholly: async (last) => readOnly && (last || (await mounts.broken()) !== undefined),
          });
          if (ended && 'problem' in ended) log.warn('sandbox.docker.end', { container: name, problem: ended.problem });
        },
      };
    },
    mounts,
    notes,
  };
}

function whyNot(result: ExecResult, timeoutMs: number): string {
  switch (result.kind) {
    case 'not_started':
      return result.reason;
    case 'timeout':
      return `no answer within ${timeoutMs / 1000} s`;
    default:
      return result.stderr.trim().split('\n').at(-1) || result.kind;
  }
}

/** Never root of this machine: in an engine without rights, its root is the very user it runs as. */
async function whoIn({ rootless }: Engine): Promise<Who> {
  if (rootless) return { user: '0:0' };
  const own = await findBoxUser();
  if (own && 'problem' in own) return own;
  const { uid, gid } = own ?? ownUser() ?? NOBODYS;
  return present({ user: `${uid}:${gid}`, give: own });
}

async function writeFilter(path: string): Promise<void> {
  const text = JSON.stringify(CALL_PROFILE, null, 1);
  if ((await readTextIfExists(path)) !== text) await writeFileAtomic(path, text, { sync: false });
}

function mounts({ workspaceAccess }: SandboxSetting): SandboxExplained['mounts'] {
  return [
    { path: INSIDE, access: workspaceAccess === 'ro' ? 'ro' : 'rw' },
    { path: INSIDE_HOME, access: 'empty' },
    { path: '/tmp', access: 'empty' },
    { path: '/ (the image)', access: 'ro' },
  ];
}

function notes({ network, docker }: SandboxSetting): readonly string[] {
  return [
    network ? "The network is Docker's bridge: the internet, and this machine by its address there." : 'No network.',
    `Memory and processes are limited by the container of the image ${docker.image}, which all commands of ` +
      'this scope share; a file cannot grow larger than diskMb, the workspace as a whole can.',
    'Processes never run as root of this machine: they run as the user of the gateway, as user 2100000000, who is ' +
      'unprivileged, if the gateway is root, or in a rootless engine as the user of that engine.',
    'The container is kept when a command ends; processes left running in it are killed. People who may ' +
      'not change prompt files have a separate container, which is removed after its last command.',
  ];
}
