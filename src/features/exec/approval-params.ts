/** Parameters of `exec.approval.*` (one approval request) and `exec.approvals.*` (the approvals file). */
import { z } from 'zod';
import { ignored, noParams, positive, text } from '../../protocol/fields.ts';

/** Longer than any wait that makes sense; a command is as long as it is. */
const MAX_CHARS = 4_000_000;
const nullable = z.string().max(MAX_CHARS).nullish();
const approvalId = text.max(128);

/** `exec.approval.list`: takes nothing. */
export const execApprovalListParams = noParams;
/** `exec.approval.get`: one request that waits; `not_found` when it does not wait any more. */
export const execApprovalGetParams = z.strictObject({ id: approvalId });
/** `decision` is free text in the published protocol; what is none is refused by name. */
export const execApprovalResolveParams = z.strictObject({
  id: approvalId,
  decision: text.max(64),
  reviewer: ignored,
  grantExpiresInDays: positive.optional(),
});
/** `exec.approval.waitDecision`: answers when somebody has decided, or nobody can any more. */
export const execApprovalWaitParams = z.strictObject({ id: approvalId });

/** `exec.approval.request`: a program asks people whether it may run a command. */
export const execApprovalRequestParams = z.strictObject({
  id: approvalId.optional(),
  command: text.max(MAX_CHARS).optional(),
  commandArgv: z.array(z.string()).max(10_000).optional(),
  systemRunPlan: z
    .looseObject({
      argv: z.array(z.string()).max(10_000),
      commandText: z.string().max(MAX_CHARS),
      cwd: z.string().nullish(),
    })
    .optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: nullable,
  nodeId: nullable,
  host: nullable,
  warningText: nullable,
  agentId: nullable,
  sessionKey: nullable,
  resolvedPath: nullable,
  unavailableDecisions: z.array(z.literal('allow-always')).optional(),
  timeoutMs: positive.optional(),
  twoPhase: z.boolean().optional(),
  security: ignored,
  ask: ignored,
  scope: ignored,
  commandSpans: ignored,
  sessionId: ignored,
  runId: ignored,
  toolCallId: ignored,
  turnSourceChannel: ignored,
  turnSourceTo: ignored,
  turnSourceAccountId: ignored,
  turnSourceThreadId: ignored,
  approvalReviewerDeviceIds: ignored,
  requireDeliveryRoute: ignored,
  suppressDelivery: ignored,
  deliverToApprovalClientsOnly: ignored,
});
/** What `execApprovalRequestParams` reads. */
export type ExecApprovalRequestParams = z.output<typeof execApprovalRequestParams>;

const levels = {
  security: z.string().optional(),
  ask: z.string().optional(),
  askFallback: z.string().optional(),
  autoAllowSkills: z.boolean().optional(),
};
const named = text.regex(/\S/);
const entry = z.strictObject({
  id: text.optional(),
  pattern: z.string(),
  source: z.literal('allow-always').optional(),
  commandText: z.string().optional(),
  argPattern: z.string().optional(),
  lastUsedAt: z.number().min(0).optional(),
  lastUsedCommand: z.string().optional(),
  lastResolvedPath: z.string().optional(),
});
const mcpTool = z.strictObject({
  server: named,
  tool: named,
  source: z.literal('allow-always'),
  addedAt: z.number().min(0),
  lastUsedAt: z.number().min(0).optional(),
});

/** `exec.approvals.get`: takes nothing; answers the file with its hash. */
export const execApprovalsGetParams = noParams;
/** `exec.approvals.set`: replaces the file; `conflict` when it was changed since `baseHash`. */
export const execApprovalsSetParams = z.strictObject({
  file: z.strictObject({
    version: z.literal(1),
    socket: z.strictObject({ path: z.string().optional(), token: z.string().optional() }).optional(),
    defaults: z.strictObject(levels).optional(),
    agents: z
      .record(
        z.string(),
        z.strictObject({ ...levels, allowlist: z.array(entry).optional(), mcpTools: z.array(mcpTool).optional() }),
      )
      .optional(),
  }),
  baseHash: text.optional(),
});

/** The file of command approvals, as clients send it. */
export type ApprovalsFileBody = z.output<typeof execApprovalsSetParams>['file'];
