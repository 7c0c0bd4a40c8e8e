/**
 * Decides whether a command may run on another machine, by the settings and approvals of this one. What its programs
 * are cannot be checked from here, so nothing is taken for harmless: whatever is not open to all commands is asked.
 */
import type { ElsewhereCommand, ElsewherePermit, ShellWatch } from '../../core/shell.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';
import { refuseEnv } from './approvals/env-rules.ts';
import { effective, needsApproval } from './approvals/matrix.ts';
import type { ExecSettings } from './exec-settings.ts';
import { refusalOf, type PermissionDeps } from './permission.ts';
import type { ProcessOwner } from './processes/process-spec.ts';
import { refuse } from './refusal.ts';

/** One command of a turn for another machine. */
export interface RemoteCommandRequest {
  readonly owner: ProcessOwner;
  readonly settings: ExecSettings;
  readonly command: ElsewhereCommand;
  readonly watch: ShellWatch;
}

export async function permitElsewhere(
  { owner, settings, command, watch }: RemoteCommandRequest,
  deps: PermissionDeps,
): Promise<ElsewherePermit> {
  const badEnv = refuseEnv(command.env);
  if (badEnv) return refuse('invalid', badEnv);
  const policy = await deps.file.policyFor(owner.agentId);
  const { security, ask } = effective({ settings, call: command.stricter, file: policy });
  if (security === 'deny')
    return refuse(
      'denied',
      `exec denied: host=node security=deny. ${policy.problem ?? 'tools.exec.security or the approvals file says so.'}`,
    );
  if (!needsApproval({ ask, security, proven: false, satisfied: false }))
    return security === 'full'
      ? { kind: 'allowed', approved: false }
      : refuse(
          'denied',
          `exec denied: allowlist miss. ${uncheckable(command)} Nobody is asked because tools.exec.ask is "off".`,
        );
  const approval = deps.pending.ask(
    {
      agentId: owner.agentId,
      sessionKey: owner.sessionKey,
      host: 'node',
      command: command.command,
      cwd: command.cwd,
      env: command.env,
      steps: [{ words: command.argv }],
      reasons: [uncheckable(command)],
      rememberable: false,
      elevated: false,
    },
    { timeoutMs: settings.approvalTimeoutSec * 1000, signal: watch.signal },
  );
  if ('problem' in approval) return refuse('approval-unavailable', approval.problem);
  deps.announce(approval.request, owner);
  watch.progress(
    `Waiting for approval ${approval.request.slug}: answer in the Control UI, with \`${PUBLIC_COMMAND} approvals\`, ` +
      `or with /approve ${approval.request.slug} allow-once`,
  );
  const refused = refusalOf(await approval.decided, approval.request, policy.askFallback === 'full');
  return refused ?? { kind: 'allowed', approved: true };
}

const uncheckable = ({ where }: ElsewhereCommand): string =>
  `It would run on ${where}, whose programs and files cannot be checked from here.`;
