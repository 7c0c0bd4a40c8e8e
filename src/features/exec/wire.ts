/** Approvals and processes in the format of the protocol, and their events. */
import type { ApprovalRequest, ApprovalResolution } from '../../core/approval.ts';
import { present } from '../../core/present.ts';
import type { ExecApprovalResolvedEvent, WireApproval } from '../../protocol/answers/approvals.ts';
import type { ProcessChangedEvent } from '../../protocol/answers/processes.ts';
import type { HostGateway } from '../../host/host.ts';
import type { ExecServices } from './exec-service.ts';

/** Who may hear what: a command that waits is told to those who may answer it. */
export const EXEC_EVENTS = {
  'exec.approval.requested': 'operator.approvals',
  'exec.approval.resolved': 'operator.approvals',
  'process.changed': 'operator.read',
  'process.output': 'operator.read',
} as const;

/** Returns how to stop. */
export function relayExec(
  { approvals, processes }: Pick<ExecServices, 'approvals' | 'processes'>,
  publish: HostGateway['publish'],
): () => void {
  const stopApprovals = approvals.subscribe((news) => {
    if ('requested' in news) publish('exec.approval.requested', wireApproval(news.requested));
    else publish('exec.approval.resolved', wireResolution(news.resolved));
  });
  const stopProcesses = processes.subscribe((process) =>
    publish('process.changed', { process } satisfies ProcessChangedEvent),
  );
  return () => {
    stopApprovals();
    stopProcesses();
  };
}

export const wireApproval = ({ id, slug, createdAt, expiresAt, steps, ...request }: ApprovalRequest): WireApproval => ({
  id,
  slug,
  createdAtMs: createdAt,
  expiresAtMs: expiresAt,
  request: { ...request, steps: steps.map((step) => ({ ...step, words: step.words.map((word) => word ?? null) })) },
});

const wireResolution = ({ id, decision, by, at }: ApprovalResolution): ExecApprovalResolvedEvent =>
  present({ id, decision, ts: at, resolvedBy: by });
