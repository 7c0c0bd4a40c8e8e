/** Parameters of the methods that send and act on channels without a turn. */
import { z } from 'zod';
import { idempotencyKey, ignored, positive, text } from './fields.ts';

const place = {
  to: text.describe('Target chat in the format of the channel.'),
  channel: z.string().optional().describe('Absent: the only configured channel.'),
  accountId: z.string().optional(),
  threadId: z.string().optional(),
  idempotencyKey,
};

/** `send`: a message into a chat of a channel, without a turn of an agent. */
export const sendParams = z.strictObject({
  ...place,
  message: z.string().optional(),
  sessionKey: z
    .string()
    .optional()
    .describe('Session whose transcript records the message. Absent: the session of the chat.'),
  mediaUrl: z.string().optional().describe('http or https.'),
  mediaUrls: z.array(z.string()).optional(),
  buffer: z.string().optional().describe('A file, base64.'),
  filename: z.string().optional(),
  contentType: z.string().optional(),
  asVoice: z.boolean().optional().describe('Send a recording as a voice note.'),
  replyToId: z.string().optional(),
  gifPlayback: ignored,
  agentId: ignored,
  forceDocument: ignored,
  silent: ignored,
  parseMode: ignored,
});

/** `poll`: a question with fixed answers into a chat, where the channel has polls. */
export const pollParams = z.strictObject({
  ...place,
  question: text,
  options: z.array(text).min(2).max(12),
  maxSelections: positive.max(12).optional().describe('Default 1.'),
  durationHours: positive.optional(),
  durationSeconds: positive.max(604_800).optional(),
  silent: ignored,
  isAnonymous: ignored,
});

/** `message.action`: something a channel can do with messages besides sending. */
export const messageActionParams = z.strictObject({
  channel: text,
  action: text.describe('`react`, `edit`, `delete`, `read` … as `channels.capabilities` lists them.'),
  params: z
    .record(z.string(), z.unknown())
    .describe('Parameters as in the `message` tool, e.g. `target`, `messageId`.'),
  accountId: z.string().optional(),
  sessionKey: z.string().optional(),
  idempotencyKey,
  reply: ignored,
  requesterAccountId: ignored,
  requesterSenderId: ignored,
  senderIsOwner: ignored,
  sessionId: ignored,
  inboundTurnKind: ignored,
  agentId: ignored,
  toolContext: ignored,
  conversationReadOrigin: ignored,
});
