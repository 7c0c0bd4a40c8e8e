/** `approvals [list]|approve|deny`: lists and answers approval requests. */
import type { ApprovalDecision } from '../../../core/approval.ts';
import type { WireApproval } from '../../../protocol/answers/approvals.ts';
import { approvalText } from '../../../cli/approval-text.ts';
import type { Call } from '../../../cli/command.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';

export async function approvalsList(call: Call): Promise<void> {
  const { flags, io } = call;
  const waiting = await (await call.gateway()).request<readonly WireApproval[]>('exec.approval.list', {});
  if (flags.has('json')) return io.out(JSON.stringify(waiting, null, 2));
  if (waiting.length === 0) return io.out('No commands are waiting for approval.');
  for (const approval of waiting) io.out(`${approvalText(approval)}\n`);
  io.out(`Answer with \`${OWN_COMMAND} approvals approve <id>\` or \`${OWN_COMMAND} approvals deny <id>\`.`);
}

export const approvalsApprove = (call: Call): Promise<void> =>
  call.flags.has('always')
    ? answer(call, 'allow-always', 'Always allowed.')
    : answer(call, 'allow-once', 'Allowed once.');

export const approvalsDeny = (call: Call): Promise<void> => answer(call, 'deny', 'Denied.');

async function answer(call: Call, decision: ApprovalDecision, done: string): Promise<void> {
  const result = await (await call.gateway()).request<unknown>('exec.approval.resolve', { id: call.args[0], decision });
  call.io.out(call.flags.has('json') ? JSON.stringify(result, null, 2) : done);
}
