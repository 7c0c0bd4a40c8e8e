/** Parameters of `process.*` and `sandbox.explain`: commands in the background, and the box they run in. */
import { z } from 'zod';
import { count, noParams, sessionKey, text } from '../../protocol/fields.ts';

const sessionId = text.max(128).describe('Two words, as `process.list` gives them.');
const agentId = text.max(64).optional();

/** What one request may write into a command's input; more comes in several. */
const MAX_INPUT = 1_000_000;

/** `process.list`: commands in the background. */
export const processListParams = z.strictObject({ agentId: agentId.describe('Only of this agent.') });

/** `process.subscribe` and its end: take nothing; from then on `process.output` comes. */
export const processFollowParams = noParams;

/** `process.log`: a part of what a command wrote. */
export const processLogParams = z.strictObject({
  sessionId,
  offset: count.optional().describe('First line, from 0; without it the last lines.'),
  limit: count.optional().describe('Lines.'),
});

/** `process.write`: input for a command. */
export const processWriteParams = z.strictObject({
  sessionId,
  data: z.string().max(MAX_INPUT),
  eof: z.boolean().optional().describe('Close its standard input after the data.'),
});

/** Methods about one command in the background, by its id. */
export const processParams = z.strictObject({ sessionId });

/** `sandbox.explain`: where the commands of an agent run, and what they reach there. */
export const sandboxExplainParams = z.strictObject({
  agentId,
  sessionKey: sessionKey.optional().describe('Without it, the main session.'),
});
