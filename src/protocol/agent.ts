/** Parameters of `agent*`, `agents.list` and `models.list`. */
import { z } from 'zod';
import { attachment } from './chat.ts';
import { count, idempotencyKey, ignored, messageText, milliseconds, noParams, text } from './fields.ts';

/** `agent`: a turn of an agent. Answered twice, when it is accepted and when it has ended. */
export const agentParams = z.strictObject({
  message: messageText.min(1),
  agentId: text.optional(),
  provider: z.string().optional(),
  model: z.string().optional().describe('Model for this turn only: `provider/model`, or a model of `provider`.'),
  sessionId: z.string().optional(),
  sessionKey: z.string().optional().describe("Default: the agent's main session."),
  thinking: z.string().optional(),
  deliver: z
    .boolean()
    .optional()
    .describe(
      'Also send the answer to `replyChannel`/`replyTo` (or `channel`/`to`). Default: the chat that ' +
        'last wrote to the session.',
    ),
  bestEffortDeliver: z
    .boolean()
    .optional()
    .describe('Do not fail if the answer cannot be delivered; `result.meta.deliveryError` has the reason.'),
  to: z.string().optional(),
  replyTo: z.string().optional(),
  channel: z.string().optional(),
  replyChannel: z.string().optional(),
  accountId: z.string().optional(),
  replyAccountId: z.string().optional(),
  attachments: z.array(z.unknown()).max(50).optional(),
  timeout: count.optional().describe('Timeout of the turn in seconds.'),
  extraSystemPrompt: z.string().optional(),
  label: text.max(512).optional(),
  spawnedBy: z.string().optional(),
  idempotencyKey,
  expectedExistingSessionId: ignored,
  threadId: ignored,
  groupId: ignored,
  groupChannel: ignored,
  groupSpace: ignored,
  lane: ignored,
  cwd: ignored,
  cleanupBundleMcpOnRunEnd: ignored,
  modelRun: ignored,
  promptMode: ignored,
  bootstrapContextMode: ignored,
  bootstrapContextRunKind: ignored,
  acpTurnSource: ignored,
  internalRuntimeHandoffId: ignored,
  internalExecutionIdentityRetry: ignored,
  internalExecutionIdentityRecoveryAttempt: ignored,
  execApprovalFollowupExpectedSessionId: ignored,
  internalEvents: ignored,
  inputProvenance: ignored,
  suppressPromptPersistence: ignored,
  sessionEffects: ignored,
  sourceReplyDeliveryMode: ignored,
  disableMessageTool: ignored,
  swarmCollector: ignored,
  swarmOutputSchema: ignored,
  forceRestartSafeTools: ignored,
  forceCodeModeTools: ignored,
  voiceWakeTrigger: ignored,
});
/** What `agentParams` reads. */
export type AgentParams = z.output<typeof agentParams>;

/** The attachments of `agent` are untyped on the wire; each is read like one of `chat.send`. */
export const agentAttachments = z.array(attachment);

/** `agent.wait`: how a run ended, or that it has not yet. */
export const agentWaitParams = z.strictObject({
  runId: text,
  timeoutMs: milliseconds.optional().describe('Default: 30 000; 0 checks once.'),
});
/** `agent.identity.get`: name and picture of an agent, by its id or one of its sessions. */
export const agentIdentityParams = z.strictObject({ agentId: text.optional(), sessionKey: z.string().optional() });
/** `agents.list`: takes nothing. */
export const agentsListParams = noParams;
/** `models.list`: what clients send along is accepted and changes nothing. */
export const modelsListParams = z.strictObject({
  agentId: ignored,
  includeProviderCapabilities: ignored,
  preparedOnly: ignored,
  refresh: ignored,
  view: ignored,
});
