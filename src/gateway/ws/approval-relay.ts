/** Tells clients that may answer them which commands wait for a person's word, and how each came out. */
import type { ApprovalRequest, ApprovalResolution } from '../../core/approval.ts';
import type { ExecApprovalResolvedEvent, WireApproval } from '../../protocol/answers/approvals.ts';
import type { ApprovalService } from '../services.ts';
import type { Hub } from './hub.ts';

/** Returns how to stop. */
export const relayApprovals = (approvals: ApprovalService, hub: Hub): (() => void) =>
  approvals.subscribe((news) => {
    if ('requested' in news) hub.publish('exec.approval.requested', wireApproval(news.requested));
    else hub.publish('exec.approval.resolved', wireResolution(news.resolved));
  });

export const wireApproval = ({ id, slug, createdAt, expiresAt, steps, ...request }: ApprovalRequest): WireApproval => ({
  id,
  slug,
  createdAtMs: createdAt,
  expiresAtMs: expiresAt,
  request: { ...request, steps: steps.map((step) => ({ ...step, words: step.words.map((word) => word ?? null) })) },
});

const wireResolution = ({ id, decision, by, at }: ApprovalResolution): ExecApprovalResolvedEvent => ({
  id,
  decision,
  ts: at,
  ...(by === undefined ? {} : { resolvedBy: by }),
});
