/**
 * Decides whether a command may run on this machine: proven and allowed, approved by a person, or not; an approval is
 * bound to what was analyzed.
 */
import type { ApprovalRequest, ApprovalResolution, ApprovalStep } from '../../core/approval.ts';
import type { ShellWatch } from '../../core/shell.ts';
import type { AskMode, SecurityLevel } from '../../core/command-levels.ts';
import { present } from '../../core/present.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Analysis } from './analysis/analysis.ts';
import { describeEntry, type Evaluation } from './approvals/allowlist.ts';
import type { AgentPolicy, ApprovalsFile } from './approvals/approvals-file.ts';
import { bind, bindsFilesIn, changed, type BoundFacts } from './approvals/bind.ts';
import { needsApproval } from './approvals/matrix.ts';
import type { Pending } from './approvals/pending.ts';
import { codeFoldersOf } from './approvals/script-files.ts';
import type { ProcessOwner } from './processes/process-spec.ts';
import { refuse, type Refusal } from './refusal.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';

/** One command, resolved: what is judged here is what runs. */
export interface Evaluated {
  readonly owner: ProcessOwner;
  readonly command: string;
  readonly analysis: Analysis;
  readonly evaluation: Evaluation;
  readonly policy: AgentPolicy;
  readonly security: SecurityLevel;
  readonly ask: AskMode;
  readonly host: 'gateway' | 'sandbox';
  readonly elevated: boolean;
  /** It leaves the sandbox by the model's word alone: a person says yes to this call, or it does not run. */
  readonly confirm?: boolean;
  /** Folders the agent's tools write in without asking, absolute. */
  readonly writable: readonly string[] | 'everywhere';
  /** Variables the model set. */
  readonly extraEnv: Readonly<Record<string, string>>;
  readonly approvalTimeoutMs: number;
  /** The program, its arguments, folder and environment, as they will be handed to the system. */
  readonly facts: BoundFacts;
  /** The same found anew: what a name means may have changed while somebody thought about it. */
  factsNow(): Promise<BoundFacts>;
}

export interface PermissionDeps {
  readonly file: ApprovalsFile;
  readonly pending: Pending;
  readonly clock: Pick<Clock, 'now'>;
  /** Tells the conversation's own channel; the Control UI and the terminal hear by themselves. */
  announce(request: ApprovalRequest, owner: ProcessOwner): void;
}

/** Commands are denied altogether; undefined: they are not. */
export const forbidden = ({
  security,
  host,
  policy,
}: Pick<Evaluated, 'security' | 'host' | 'policy'>): Refusal | undefined =>
  security === 'deny'
    ? refuse(
        'denied',
        `exec denied: host=${host} security=deny. ` +
          `${policy.problem ?? 'tools.exec.security, the call or the approvals file says so.'}`,
      )
    : undefined;

/** Undefined: go ahead. */
export async function permission(
  evaluated: Evaluated,
  watch: ShellWatch,
  deps: PermissionDeps,
): Promise<Refusal | undefined> {
  const { security, ask, analysis, evaluation, policy } = evaluated;
  const denied = forbidden(evaluated);
  if (denied) return denied;
  if (!needsApproval({ ask, security, proven: analysis.proven, satisfied: evaluation.satisfied })) {
    if (security === 'full') return undefined;
    if (!evaluation.satisfied)
      return refuse(
        'denied',
        `exec denied: allowlist miss. ${evaluation.reasons.join(' ')} Nobody is asked because tools.exec.ask is "off".`,
      );
    await deps.file.used(evaluated.owner.agentId, evaluation.used, {
      command: evaluated.command,
      at: deps.clock.now(),
    });
    return undefined;
  }
  if (!analysis.proven && analysis.missing !== undefined)
    return refuse('not-started', `${analysis.missing} The command was not run.`);
  return askPerson(evaluated, watch, {
    ...deps,
    fallbackRuns:
      !evaluated.confirm &&
      (policy.askFallback === 'full' || (policy.askFallback === 'allowlist' && evaluation.satisfied)),
  });
}

async function askPerson(
  evaluated: Evaluated,
  watch: ShellWatch,
  deps: PermissionDeps & { readonly fallbackRuns: boolean },
): Promise<Refusal | undefined> {
  const { evaluation, analysis, owner } = evaluated;
  const bound = await bind(evaluated.facts);
  // "Always" for a file the agent may rewrite would be a yes to whatever it writes there later.
  const rememberable =
    !evaluated.confirm &&
    evaluated.security === 'allowlist' &&
    evaluation.rememberable &&
    !(await bindsFilesIn(bound, evaluated.writable, codeFoldersOf(analysis)));
  const approval = deps.pending.ask(
    present({
      agentId: owner.agentId,
      sessionKey: owner.sessionKey,
      host: evaluated.host,
      command: evaluated.command,
      cwd: evaluated.facts.cwd,
      env: evaluated.extraEnv,
      steps: stepsOf(analysis, evaluation),
      reasons: reasonsOf(evaluated),
      rememberable,
      remember: rememberable ? evaluation.remember.map(describeEntry) : undefined,
      elevated: evaluated.elevated,
    }),
    { timeoutMs: evaluated.approvalTimeoutMs, signal: watch.signal },
  );
  if ('problem' in approval) return refuse('approval-unavailable', approval.problem);
  const { request, decided } = approval;
  deps.announce(request, owner);
  watch.progress(
    `Waiting for approval ${request.slug}: answer in the Control UI, with \`${PUBLIC_COMMAND} approvals\`, ` +
      `or with /approve ${request.slug} allow-once`,
  );
  const resolution = await decided;
  const refusal = refusalOf(resolution, request, deps.fallbackRuns);
  if (refusal) return refusal;
  const difference = await changed(bound, await evaluated.factsNow());
  if (difference !== undefined)
    return refuse('changed', `The command was approved, but ${difference} since then, so it was not run. Ask again.`);
  watch.progress(resolution.by ? `Allowed by ${resolution.by}; no output yet.` : 'Allowed; no output yet.');
  if (resolution.decision === 'allow-always') await deps.file.remember(owner.agentId, evaluation.remember);
  return undefined;
}

function reasonsOf({ confirm, evaluation }: Evaluated): readonly string[] {
  const outside = confirm ? ['It would run outside the sandbox, which only the model requested.'] : [];
  return evaluation.reasons.length + outside.length > 0
    ? [...outside, ...evaluation.reasons]
    : ['tools.exec.ask is "always".'];
}

export function refusalOf(
  { decision, by }: ApprovalResolution,
  { slug, createdAt, expiresAt }: ApprovalRequest,
  fallbackRuns: boolean,
): Refusal | undefined {
  switch (decision) {
    case 'allow-once':
    case 'allow-always':
      return undefined;
    case 'deny': {
      const who = by ? ` by ${by}` : '';
      return refuse(
        'user-denied',
        `Exec denied (gateway id=${slug}, user-denied${who}). The person denied it: do not try it again in ` +
          'another form; ask what they would like instead.',
      );
    }
    case 'withdrawn':
      return refuse('aborted', 'Stopped while the approval was pending; nothing was run.');
    case 'expired': {
      if (fallbackRuns) return undefined;
      const waited = `nobody answered within ${Math.round((expiresAt - createdAt) / 1000)} s, so nothing was run`;
      return refuse(
        'approval-timeout',
        `Exec denied (gateway id=${slug}, approval-timeout): ${waited}. Tell the person what you wanted to ` +
          'run and why.',
      );
    }
  }
}

function stepsOf(analysis: Analysis, evaluation: Evaluation): readonly ApprovalStep[] {
  return evaluation.steps.length > 0 || analysis.proven ? evaluation.steps : analysis.steps;
}
