/** Sandboxes in Docker: one container per scope that idles, and `docker exec` for each command. */
import type { Log } from '../../../core/log.ts';
import type { ExecRequest, ExecResult } from '../../../platform/exec.ts';
import { realPathIfExists } from '../../../platform/files.ts';
import { findProgram } from '../../../platform/find-program.ts';
import { sha256Hex, shortId } from '../../../platform/ids.ts';
import { ownUser } from '../../../platform/own-user.ts';
import { INSIDE, INSIDE_HOME, type Backend } from '../backend.ts';
import { hiddenFolders } from '../hidden-folders.ts';
import type { SandboxExplained, SandboxSetting } from '../sandbox-setting.ts';
import { containerName, createArguments, endArguments, execArguments, type CreateFacts } from './docker-arguments.ts';

export interface DockerDeps {
  readonly vars: Readonly<Record<string, string>>;
  readonly log: Log;
  /** Absolute. */
  readonly stateDir: string;
  exec(request: ExecRequest): Promise<ExecResult>;
}

/** How the client finds its engine; nothing else of the gateway's environment is handed on. */
const CLIENT_VARIABLES = ['PATH', 'HOME', 'XDG_RUNTIME_DIR', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY'];
const ASK_MS = 10_000;
/** An image may have to be fetched first. */
const CREATE_MS = 10 * 60_000;

interface Engine { readonly program: string; readonly version: string; readonly rootless: boolean }
type Run = (args: readonly string[], timeoutMs?: number) => Promise<{ readonly out: string } | { readonly problem: string }>;

export function createDockerBackend({ vars, log, stateDir, exec }: DockerDeps): Backend {
  const env = Object.fromEntries(CLIENT_VARIABLES.flatMap((name) => (vars[name] ? [[name, vars[name]]] : [])));
  let engine: Engine | undefined;
  /** Two commands at once make one container. */
  const ready = new Map<string, Promise<{ readonly problem: string } | undefined>>();

  const run: Run = async (args, timeoutMs = ASK_MS) => {
    const result = await exec({ command: engine?.program ?? 'docker', args, env, timeoutMs, maxOutputBytes: 64 * 1024, signal: new AbortController().signal });
    if (result.kind === 'exited' && result.code === 0) return { out: result.stdout.toString('utf8').trim() };
    return { problem: whyNot(result, timeoutMs).slice(0, 300) };
  };

  return {
    name: 'docker',
    async probe() {
      const program = engine?.program ?? (await findProgram('docker', env['PATH']));
      if (program === undefined) return { problem: 'Docker is not installed.' };
      if (engine) return { version: engine.version };
      const asked = await run(['info', '--format', '{{.ServerVersion}} {{.SecurityOptions}}']);
      if ('problem' in asked) return { problem: `Docker's engine does not answer (${asked.problem}); start it, and see that this user may use it.` };
      const [version = '', ...security] = asked.out.split(' ');
      engine = { program, version, rootless: security.join(' ').includes('rootless') };
      return { version };
    },
    async wrap(request) {
      const { setting } = request;
      const name = containerName(setting);
      const workspace = (await realPathIfExists(setting.workspace)) ?? setting.workspace;
      const hidden = await hiddenFolders(workspace, stateDir);
      if ('problem' in hidden) return hidden;
      const making = ready.get(name) ?? ensureContainer({ setting, engine: engine!, place: { workspace, hidden: hidden.below } }, run).finally(() => ready.delete(name));
      ready.set(name, making);
      const problem = await making;
      if (problem) return problem;
      const mark = shortId();
      return {
        argv: [engine!.program, ...execArguments(request, mark)],
        env, cwd: setting.workspace,
        onEnd: async () => {
          const ended = await run(endArguments(setting, mark));
          if ('problem' in ended) log.warn('sandbox.docker.end', { container: name, problem: ended.problem });
        },
      };
    },
    mounts, notes,
  };
}

function whyNot(result: ExecResult, timeoutMs: number): string {
  switch (result.kind) {
    case 'not_started': return result.reason;
    case 'timeout': return `no answer within ${timeoutMs / 1000} seconds`;
    default: return result.stderr.trim().split('\n').at(-1) || result.kind;
  }
}

interface Container { readonly setting: SandboxSetting; readonly engine: Engine; readonly place: Pick<CreateFacts, 'workspace' | 'hidden'> }

/** Running and made from these very settings; one of other settings is replaced. */
async function ensureContainer({ setting, engine: { rootless }, place }: Container, run: Run): Promise<{ readonly problem: string } | undefined> {
  const name = containerName(setting);
  const own = ownUser();
  // In a rootless engine its root is this very user.
  const user = rootless || own === undefined ? '0:0' : `${own.uid}:${own.gid}`;
  const fingerprint = sha256Hex(JSON.stringify(createArguments(setting, { ...place, user, fingerprint: setting.docker.setupCommand ?? '' }))).slice(0, 16);
  const known = await run(['inspect', '--format', '{{.State.Running}} {{index .Config.Labels "clawdbot.sandbox"}}', name]);
  const [running, label] = 'out' in known ? known.out.split(' ') : [];
  if (label === fingerprint) return running === 'true' ? undefined : failed(await run(['start', name]), 'started');
  if (label !== undefined) await run(['rm', '--force', name]);
  const made = await run(createArguments(setting, { ...place, user, fingerprint }), CREATE_MS);
  if ('problem' in made) return failed(made, `made from the image ${setting.docker.image}`);
  return failed(await run(['start', name]), 'started') ?? setUp(setting, run);
}

async function setUp(setting: SandboxSetting, run: Run): Promise<{ readonly problem: string } | undefined> {
  const { setupCommand } = setting.docker;
  if (setupCommand === undefined) return undefined;
  const problem = failed(await run(['exec', '-i', '--user', '0:0', containerName(setting), 'sh', '-lc', setupCommand], CREATE_MS), 'set up (sandbox.docker.setupCommand)');
  // Half set up it would be taken for ready the next time.
  if (problem) await run(['rm', '--force', containerName(setting)]);
  return problem;
}

const failed = (outcome: Awaited<ReturnType<Run>>, what: string): { readonly problem: string } | undefined =>
  'problem' in outcome ? { problem: `The sandbox's container could not be ${what}: ${outcome.problem}.` } : undefined;

function mounts({ workspaceAccess }: SandboxSetting): SandboxExplained['mounts'] {
  return [
    { path: INSIDE, access: workspaceAccess === 'ro' ? 'ro' : 'rw' },
    { path: INSIDE_HOME, access: 'empty' }, { path: '/tmp', access: 'empty' }, { path: '/ (the image)', access: 'ro' },
  ];
}

function notes({ network, docker }: SandboxSetting): readonly string[] {
  return [
    network ? 'The network is Docker\'s bridge: the internet, and this machine by its address there.' : 'No network.',
    `Memory and processes are limited by the container of the image ${docker.image}, which all commands of this scope share; a file cannot grow larger than diskMb, the workspace as a whole can.`,
    'The container stays when a command ends; what the command left running in it is ended.',
  ];
}
