/** One command from what the model asked to how it came out: where, whether, and the process itself. */
import type { ElevatedLevel, SecurityLevel } from '../config/exec-config.ts';
import type { ApprovalRequest } from '../core/approval.ts';
import type { Shell, ShellOutcome, ShellRequest, ShellWatch } from '../core/shell.ts';
import type { Clock } from '../platform/clock.ts';
import type { Analysis } from './analysis/analysis.ts';
import type { ApprovalsFile } from './approvals/approvals-file.ts';
import type { BoundFacts } from './approvals/bind.ts';
import { refuseEnv, refuseMalformedEnv } from './approvals/env-rules.ts';
import { judge } from './approvals/allowlist.ts';
import { effective } from './approvals/matrix.ts';
import { scriptsOf } from './approvals/script-files.ts';
import type { Pending } from './approvals/pending.ts';
import type { Elevation } from './elevated.ts';
import type { ExecSettings } from './exec-settings.ts';
import { permission } from './permission.ts';
import type { ProcessRegistry, Started } from './processes/create-processes.ts';
import type { ProcessOwner, ProcessSpec } from './processes/process-spec.ts';
import type { SandboxSetting } from './sandbox/sandbox-setting.ts';
import type { Sandboxes } from './sandbox/create-sandboxes.ts';
import { plainShell, shellEnv, shellProgram } from './shell-program.ts';
import { refuse, where, type Refusal } from './where.ts';
import { workFolder } from './work-folder.ts';

export interface ShellDeps {
  readonly registry: ProcessRegistry;
  readonly sandboxes: Sandboxes;
  readonly file: ApprovalsFile;
  readonly pending: Pending;
  readonly clock: Clock;
  readonly home: string;
  /** The gateway's environment. */
  readonly vars: Readonly<Record<string, string>>;
  loginPath(): Promise<string | undefined>;
  announce(request: ApprovalRequest, owner: ProcessOwner): void;
}

/** For whom commands run. */
export interface ShellPlace {
  readonly owner: ProcessOwner;
  readonly settings: ExecSettings;
  /** The agent's folder on this machine, absolute. */
  readonly workspace: string;
  /** Folders harmless programs may read from, besides the workspace. */
  readonly readableRoots: readonly string[];
  /** What they may not, wherever it lies. */
  readonly deniedPaths: readonly string[];
  readonly sandbox: SandboxSetting | undefined;
  /** What `elevated` would mean for the people this turn comes from. */
  elevation(asked: boolean | undefined): Elevation;
  /** False: the agent has no tool to look after background work, so commands stay in the foreground. */
  readonly mayBackground: boolean;
}

/** Head and tail of the output that a result shows, in characters. */
const SHOWN = { headChars: 8_000, tailChars: 22_000 };
const YIELD_MS = { least: 10, most: 120_000 };
const MOST_COMMAND_CHARS = 128 * 1024;

export function createShell(place: ShellPlace, deps: ShellDeps): Shell {
  return { run: (request, watch) => run(request, watch, place, deps), processes: deps.registry.of(place.owner.agentId) };
}

async function run(request: ShellRequest, watch: ShellWatch, place: ShellPlace, deps: ShellDeps): Promise<ShellOutcome> {
  const spec = await prepare(request, watch, place, deps);
  if ('kind' in spec) return spec;
  if (watch.signal.aborted) return refuse('aborted', 'Stopped before the command began.');
  const started = await deps.registry.start(spec);
  if ('problem' in started) return refuse('not-started', started.problem);
  return attend(started, { request, watch, place, clock: deps.clock, warnings: spec.warnings });
}

type Prepared = ProcessSpec & { readonly warnings: readonly string[] };

/** Everything that is decided before a process exists. */
async function prepare(request: ShellRequest, watch: ShellWatch, place: ShellPlace, deps: ShellDeps): Promise<Prepared | Refusal> {
  const { settings, owner } = place;
  const problem = malformed(request);
  if (problem) return refuse('invalid', problem);
  const elevation = place.elevation(request.elevated);
  if (!elevation.allowed) return refuse('elevated-unavailable', elevation.message);
  const at = where({ request, settings, sandboxed: place.sandbox !== undefined, elevated: elevation.level });
  if ('kind' in at) return at;
  const base = {
    owner, command: request.command, host: at.host, pty: request.pty === true, spoolMaxBytes: settings.spoolMaxMb * 1024 * 1024,
    timeoutMs: Math.max(0, (request.timeoutSeconds ?? settings.timeoutSec) * 1000),
  };
  return at.host === 'sandbox'
    ? inSandbox({ request, base, place, setting: place.sandbox!, watch }, deps)
    : onThisMachine({ request, base, place, level: elevation.level, watch }, deps);
}

function malformed({ command }: ShellRequest): string | undefined {
  if (command.trim() === '') return 'Provide a command to start.';
  if (command.includes('\0')) return 'The command holds a zero character, which no shell takes.';
  return command.length > MOST_COMMAND_CHARS ? `The command has ${command.length} characters; the limit is ${MOST_COMMAND_CHARS}. Write it into a file and run that.` : undefined;
}

type Base = Pick<ProcessSpec, 'owner' | 'command' | 'host' | 'pty' | 'spoolMaxBytes' | 'timeoutMs'>;
interface Job { readonly request: ShellRequest; readonly base: Base; readonly place: ShellPlace; readonly watch: ShellWatch }

/** What is in the box may do as it likes there, unless commands are denied or every one is asked about. */
async function inSandbox({ request, base, place, setting, watch }: Job & { readonly setting: SandboxSetting }, deps: ShellDeps): Promise<Prepared | Refusal> {
  const { settings, owner } = place;
  const policy = await deps.file.policyFor(owner.agentId);
  const { security, ask } = effective({ config: { security: settings.security, ask: settings.ask }, call: request, file: policy });
  const env = request.env ?? {};
  const malformed = refuseMalformedEnv(env);
  if (malformed) return refuse('invalid', malformed);
  const wrapped = await deps.sandboxes.wrap(setting, { shellCommand: request.command, env, pty: base.pty, ...(request.workdir === undefined ? {} : { workdir: request.workdir }) });
  if ('problem' in wrapped) return refuse('sandbox-unavailable', wrapped.problem);
  const analysis = { proven: false, why: [], steps: [] } as const;
  const boxed = { command: request.command, argv: wrapped.argv, cwd: wrapped.cwd, env: wrapped.env, programs: [wrapped.argv[0]] };
  const refused = await permission({
    command: request.command, analysis, judgement: { satisfied: true, reasons: [], steps: [], rememberable: false, remember: [], used: [] }, policy,
    security: security === 'deny' ? 'deny' : 'full', ask: ask === 'always' ? 'always' : 'off', agentId: owner.agentId, sessionKey: owner.sessionKey, host: 'sandbox', elevated: false,
    writable: [setting.workspace], extraEnv: env, approvalTimeoutMs: settings.approvalTimeoutSec * 1000, facts: boxed, factsNow: async () => boxed,
  }, watch, { ...deps, announce: (asked) => deps.announce(asked, owner) });
  if (refused) return refused;
  const limit = setting.limits.timeoutSec === undefined ? Infinity : setting.limits.timeoutSec * 1000;
  const { argv, cwd, shownCwd, warnings, guard, onEnd } = wrapped;
  return {
    ...base, argv, cwd, shownCwd, env: wrapped.env, warnings, timeoutMs: Math.min(base.timeoutMs || limit, limit) === Infinity ? 0 : Math.min(base.timeoutMs || limit, limit),
    ...(guard ? { guard } : {}), ...(onEnd ? { onEnd } : {}),
  };
}

async function onThisMachine({ request, base, place, level, watch }: Job & { readonly level: ElevatedLevel }, deps: ShellDeps): Promise<Prepared | Refusal> {
  const { settings, owner } = place;
  const extra = request.env ?? {};
  const forbidden = refuseEnv(extra);
  if (forbidden) return refuse('invalid', forbidden);
  const [{ cwd, warnings }, shell, loginPath, policy] = await Promise.all([
    workFolder({ workdir: request.workdir, workspace: place.workspace, home: deps.home }),
    shellProgram(deps.vars), deps.loginPath(), deps.file.policyFor(owner.agentId),
  ]);
  const env = shellEnv({ vars: deps.vars, extra, pass: settings.passEnv, pathPrepend: settings.pathPrepend, loginPath });
  const { security, ask } = level === 'full' ? { security: settings.security === 'deny' ? 'deny' as const : 'full' as const, ask: 'off' as const } : effective({ config: { security: settings.security, ask: settings.ask }, call: request, file: policy });
  if (security === 'full' && ask === 'off') return { ...base, argv: [shell, '-c', request.command], cwd, env, warnings };
  const found = await read(request.command, { cwd, env, shell, place, security });
  const judgement = judge(found.analysis, policy.allowlist, { autoAllowSkills: policy.autoAllowSkills });
  const refused = await permission({
    command: request.command, analysis: found.analysis, judgement, policy, security, ask, agentId: owner.agentId, sessionKey: owner.sessionKey, host: 'gateway', elevated: level !== 'off',
    writable: [place.workspace], extraEnv: extra, approvalTimeoutMs: settings.approvalTimeoutSec * 1000, facts: found.facts,
    factsNow: async () => (await read(request.command, { cwd, env, shell, place, security })).facts,
  }, watch, { ...deps, announce: (asked) => deps.announce(asked, owner) });
  return refused ?? { ...base, argv: found.argv, cwd, env, warnings };
}

interface Reading { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly shell: string; readonly place: ShellPlace; readonly security: SecurityLevel }

/** What the command line would start, and everything that has to stay as it is until then. */
async function read(command: string, { cwd, env, shell, place, security }: Reading): Promise<{ readonly analysis: Analysis; readonly argv: readonly [string, ...string[]]; readonly facts: BoundFacts }> {
  const { analyse, createWorld } = await import('./analysis/index.ts');
  const analysis = await analyse(command, createWorld({ cwd, env, readableRoots: [place.workspace, ...place.readableRoots], closedPaths: place.deniedPaths, safeBins: place.settings.safeBins }));
  // What was proven runs as it was proven: every word quoted, every program by its own path.
  const argv: readonly [string, ...string[]] = analysis.proven && security === 'allowlist' ? [await plainShell(shell, env), '-c', analysis.plan] : [shell, '-c', command];
  return { analysis, argv, facts: { command, argv, cwd, env, programs: [argv[0], ...programsOf(analysis)], scripts: scriptsOf(analysis, cwd) } };
}

const programsOf = (analysis: Analysis): readonly string[] => (analysis.proven
  ? analysis.segments.flatMap(({ path, wrappers }) => [...wrappers.map((wrapper) => wrapper.path), ...(path === undefined ? [] : [path])])
  : analysis.steps.flatMap(({ path }) => path ?? []));

interface Attended { readonly request: ShellRequest; readonly watch: ShellWatch; readonly place: ShellPlace; readonly clock: Clock; readonly warnings: readonly string[] }

/** Waits for its end, for the moment it goes to the background, or for the turn to be stopped. */
async function attend(started: Started, { request, watch, place, clock, warnings }: Attended): Promise<ShellOutcome> {
  const wantsBackground = request.background === true || request.yieldMs !== undefined;
  const told = place.mayBackground || !wantsBackground ? warnings : [...warnings, 'Warning: background execution is disabled; running synchronously.'];
  const toBackground = async (): Promise<ShellOutcome> => {
    await started.toBackground();
    return { kind: 'running', view: started.view(), warnings: told };
  };
  if (place.mayBackground && request.background === true) return toBackground();
  const silent = started.onOutput((tail) => watch.progress(tail));
  const yielded = Promise.withResolvers<'yield'>();
  using timer = clock.setTimeout(() => yielded.resolve('yield'), yieldMs(request, place.settings));
  if (!place.mayBackground) timer.cancel();
  const onAbort = (): void => void started.abort();
  watch.signal.addEventListener('abort', onAbort, { once: true });
  if (watch.signal.aborted) onAbort();
  try {
    const first = await Promise.race([started.ended, yielded.promise]);
    if (first === 'yield') return toBackground();
    const { output, cut } = await started.read(SHOWN);
    const kept = cut > 0 && place.mayBackground;
    await (kept ? started.keep() : started.discard());
    return { kind: 'ended', view: first, output, cut, kept, warnings: told };
  } finally {
    silent();
    watch.signal.removeEventListener('abort', onAbort);
  }
}

const yieldMs = ({ yieldMs: wanted }: ShellRequest, { backgroundMs }: ExecSettings): number =>
  Math.min(YIELD_MS.most, Math.max(YIELD_MS.least, wanted !== undefined && Number.isFinite(wanted) ? wanted : backgroundMs));
