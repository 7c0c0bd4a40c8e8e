/** Prepares a command for this machine: parsed, analyzed, allowed; a proven command runs as its plan. */
import type { ElevatedLevel } from '../../core/command-levels.ts';
import { evaluate } from './approvals/allowlist.ts';
import type { AgentPolicy } from './approvals/approvals-file.ts';
import { refuseEnv } from './approvals/env-rules.ts';
import { effective, type Effective } from './approvals/matrix.ts';
import { permission } from './permission.ts';
import type { Job, Prepared } from './prepared.ts';
import { readCommand } from './read-command.ts';
import { refuse, type Refusal } from './refusal.ts';
import type { ShellDeps } from './shell-place.ts';
import { shellEnv, shellProgram } from './shell-program.ts';
import { workFolder } from './work-folder.ts';

type HereJob = Job & {
  readonly level: ElevatedLevel;
  /** Only the model asked to leave the sandbox: a person decides. */
  readonly confirm: boolean;
};

export async function prepareHere(job: HereJob, deps: ShellDeps): Promise<Prepared | Refusal> {
  const { request, watch, place, settled, level, confirm } = job;
  const { settings, owner } = place;
  const { command, env: extraEnv = {} } = request;
  const forbidden = refuseEnv(extraEnv);
  if (forbidden) return refuse('invalid', forbidden);
  const [{ cwd, warnings }, shell, loginPath, policy] = await Promise.all([
    workFolder({ workdir: request.workdir, workspace: place.workspace, home: deps.home }),
    shellProgram(deps.vars),
    deps.loginPath(),
    deps.file.policyFor(owner.agentId),
  ]);
  const env = shellEnv({
    vars: deps.vars,
    extra: extraEnv,
    pass: settings.passEnv,
    pathPrepend: settings.pathPrepend,
    loginPath,
  });
  const { security, ask } = inForce(job, policy);
  if (security === 'full' && ask === 'off') return { ...settled, argv: [shell, '-c', command], cwd, env, warnings };
  const read = () => readCommand(command, { cwd, env, shell, place, usesPlan: security === 'allowlist' });
  const { analysis, argv, facts } = await read();
  const refused = await permission(
    {
      owner,
      command,
      analysis,
      policy,
      security,
      ask,
      host: 'gateway',
      elevated: level !== 'off',
      confirm,
      extraEnv,
      evaluation: evaluate(analysis, policy.allowlist, {
        autoAllowSkills: policy.autoAllowSkills,
        variables: extraEnv,
      }),
      writable: place.writesEverywhere ? 'everywhere' : [place.workspace],
      approvalTimeoutMs: settings.approvalTimeoutSec * 1000,
      facts,
      factsNow: async () => (await read()).facts,
    },
    watch,
    deps,
  );
  return refused ?? { ...settled, argv, cwd, env, warnings };
}

/** Who is elevated to `full` is past approvals; what was switched off stays off, and the call can still be stricter. */
function inForce(
  { request, place: { settings }, level, confirm }: HereJob,
  policy: AgentPolicy,
): Pick<Effective, 'security' | 'ask'> {
  if (confirm) return { ...effective({ settings, call: request, file: policy }), ask: 'always' };
  if (level !== 'full') return effective({ settings, call: request, file: policy });
  const closed = settings.security === 'deny' || policy.security === 'deny';
  return effective({ settings: { security: closed ? 'deny' : 'full', ask: 'off' }, call: request });
}
