/** Answers about command approvals: pending requests, and the file of permanently allowed commands. */
import { z } from 'zod';
import { APPROVAL_DECISIONS } from '../../core/approval.ts';
import { byName, done, instant, list, text } from './shapes.ts';

/** One program the command would start; `null` stands where only running it would tell. */
const step = z.strictObject({
  words: list(text.nullable()),
  path: text.exactOptional(),
  why: text.exactOptional(),
});

const approval = z.strictObject({
  id: text,
  slug: text,
  request: z.strictObject({
    command: text,
    cwd: text,
    env: byName(text).describe('Variables set for this command.'),
    host: z.enum(['gateway', 'sandbox', 'node']),
    agentId: text,
    sessionKey: text,
    steps: list(step),
    reasons: list(text),
    rememberable: z.boolean(),
    remember: list(text).exactOptional(),
    elevated: z.boolean(),
  }),
  createdAtMs: instant,
  expiresAtMs: instant,
});
/** A command that needs approval, as clients get it. */
export type WireApproval = z.output<typeof approval>;
/** One program of such a command. */
export type WireApprovalStep = z.output<typeof step>;

/** Payloads of the events of approvals. */
export const approvalEvents = {
  'exec.approval.requested': approval,
  'exec.approval.resolved': z.strictObject({
    id: text,
    decision: z.enum([...APPROVAL_DECISIONS, 'expired', 'withdrawn']),
    resolvedBy: text.exactOptional(),
    ts: instant,
  }),
};
/** Payload of `exec.approval.resolved`. */
export type ExecApprovalResolvedEvent = z.output<(typeof approvalEvents)['exec.approval.resolved']>;

/** Without a decision nobody gave one. */
const decided = z.strictObject({
  id: text,
  decision: z.enum(APPROVAL_DECISIONS).nullable(),
  createdAtMs: instant,
  expiresAtMs: instant,
});
/** Answer of `exec.approval.request` and `exec.approval.waitDecision`. */
export type ExecApprovalDecided = z.output<typeof decided>;

const file = z.strictObject({
  path: text,
  exists: z.boolean(),
  hash: text,
  file: byName(z.unknown()).describe('The file without its secrets.'),
});

/** Answers of the methods about approvals. */
export const approvalAnswers = {
  'exec.approval.list': list(approval),
  'exec.approval.get': approval,
  'exec.approval.resolve': done,
  'exec.approval.request': decided,
  'exec.approval.waitDecision': decided,
  'exec.approvals.get': file,
  'exec.approvals.set': file,
};
