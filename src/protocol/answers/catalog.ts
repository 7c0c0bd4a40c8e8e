/** Answers that list agents and models, and answers of sends to a channel. */
import { z } from 'zod';
import { list, text } from './shapes.ts';

const identity = z.strictObject({
  name: text.exactOptional(),
  theme: text.exactOptional(),
  emoji: text.exactOptional(),
  avatar: text.exactOptional(),
});

const sent = { runId: text, messageId: text, channel: text, chatId: text };

/** Answers of the methods that list agents and models, and of those that send to channels. */
export const catalogAnswers = {
  'agents.list': z.strictObject({
    defaultId: text,
    mainKey: text,
    scope: z.enum(['per-sender', 'global']),
    agents: list(
      z.strictObject({
        id: text,
        name: text.exactOptional(),
        identity: identity.exactOptional(),
        workspace: text,
        model: z.strictObject({ primary: text }),
      }),
    ),
  }),
  'agent.identity.get': z.strictObject({
    agentId: text,
    name: text.exactOptional(),
    avatar: text.exactOptional(),
    emoji: text.exactOptional(),
  }),
  'models.list': z.strictObject({
    models: list(
      z.strictObject({
        id: text,
        name: text,
        provider: text,
        contextWindow: z.number().exactOptional(),
        reasoning: z.boolean().exactOptional(),
        input: list(text).exactOptional(),
      }),
    ),
  }),
  send: z.strictObject(sent),
  poll: z.strictObject({ ...sent, pollId: text.exactOptional() }),
  'message.action': z.unknown().describe('Response of the channel.'),
};
