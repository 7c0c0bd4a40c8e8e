/** Parameters of `tools.*`. */
import { z } from 'zod';
import { ignored, sessionKey, text } from './fields.ts';

const agentId = text.max(64).optional();

/** `tools.catalog`: the tools there are. */
export const toolsCatalogParams = z.strictObject({
  agentId,
  includePlugins: z.boolean().optional().describe('Default true.'),
});
/** `tools.effective`: the tools an agent has in a session, and why not the others. */
export const toolsEffectiveParams = z.strictObject({ agentId, sessionKey });

/** Ours: whatever is left out is as a turn of the session would have it. */
export const toolsExplainParams = z.strictObject({
  tool: text.max(64).optional().describe('Only this tool. Default: all tools.'),
  agentId,
  sessionKey: sessionKey.optional().describe('Default: the main session of the agent.'),
  channel: text.max(64).optional().describe('Channel of the message.'),
  accountId: text.max(64).optional(),
  groupId: text.max(256).optional().describe('Group on that channel.'),
  sender: text.max(256).optional().describe('Sender by the id the channel gives.'),
  model: text.max(256).optional().describe('`provider/model` or an alias.'),
});

/** `confirm` and `idempotencyKey`: a command that needs approval waits for it inside the call. */
export const toolsInvokeParams = z.strictObject({
  name: text.max(64),
  args: z.record(z.string(), z.unknown()).optional(),
  sessionKey: sessionKey.optional(),
  agentId,
  confirm: z.boolean().optional(),
  idempotencyKey: text.max(512).optional(),
  conversationReadOrigin: ignored,
});
