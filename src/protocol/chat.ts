/** Parameters of `chat.*`. */
import { z } from 'zod';
import { KEPT_FILE_ID } from '../core/shown.ts';
import { count, idempotencyKey, ignored, messageText, milliseconds, positive, sessionKey, text } from './fields.ts';

/** `content` is base64, with or without a `data:` prefix. */
export const attachment = z.looseObject({
  type: z.string().optional(),
  mimeType: z.string().optional(),
  fileName: z.string().optional(),
  recorded: z.boolean().optional().describe('The sender recorded it for this message: its words count as typed.'),
  content: ignored,
});
/** A file that comes with a message, its bytes in base64. */
export type AttachmentParams = z.output<typeof attachment>;

/** `chat.send`: a message into a session of the web chat; the same `idempotencyKey` again begins nothing. */
export const chatSendParams = z.strictObject({
  sessionKey,
  agentId: text.optional(),
  sessionId: text.optional(),
  message: messageText.describe('May be empty if there is a file.'),
  thinking: z.string().optional().describe('Thinking level for this turn.'),
  queueMode: z
    .enum(['steer', 'followup', 'collect', 'interrupt'])
    .optional()
    .describe(
      'What happens if the session is busy; replaces its queue mode. `followup` gives the message a ' +
        'separate turn.',
    ),
  attachments: z.array(attachment).max(50).optional().describe('Files of any kind; `content` is base64.'),
  timeoutMs: milliseconds.optional().describe('Timeout of the turn in milliseconds.'),
  suppressCommandInterpretation: z.boolean().optional().describe('Send text that looks like a command to the model.'),
  idempotencyKey,
  intent: ignored,
  fastMode: ignored,
  fastAutoOnSeconds: ignored,
  deliver: ignored,
  originatingChannel: ignored,
  originatingTo: ignored,
  originatingAccountId: ignored,
  originatingThreadId: ignored,
  replyToId: ignored,
  toolBindings: ignored,
  systemInputProvenance: ignored,
  systemProvenanceReceipt: ignored,
  expectedLeafEntryId: ignored,
  expectedSessionRoutingContract: ignored,
  expectedPermissionMode: ignored,
  expectedToolOverrides: ignored,
});
/** What `chatSendParams` reads. */
export type ChatSendParams = z.output<typeof chatSendParams>;

/** `chat.history`: the newest messages of a session, as people see them. */
export const chatHistoryParams = z.strictObject({
  sessionKey: text,
  agentId: text.optional(),
  limit: positive.max(1000).optional().describe('Default 200.'),
  maxChars: positive.max(500_000).optional().describe('Longer text blocks are cut to this many characters.'),
  offset: count.optional().describe('Skip this many of the newest messages: the `nextOffset` of the previous page.'),
  cursor: ignored,
  pendingBefore: ignored,
  inputRunIds: ignored,
  messageId: ignored,
  sessionId: ignored,
});

/** `chat.abort`: stops one run of a session, or everything in it. */
export const chatAbortParams = z.strictObject({
  sessionKey: text,
  agentId: text.optional(),
  runId: text.optional().describe('Absent: stop everything in the session.'),
  preserveSideRuns: ignored,
});
/** `chat.inject`: adds a message to a session that no model answers. */
export const chatInjectParams = z.strictObject({
  sessionKey: text,
  agentId: text.optional(),
  message: text,
  label: z.string().max(100).optional(),
});
/** So much of a file is in one answer; larger ones are asked for part by part. */
export const FILE_PART_BYTES = 1024 * 1024;

/** `chat.file`: the bytes of a file that a message shows, part by part. */
export const chatFileParams = z.strictObject({
  sessionKey: text,
  agentId: text.optional(),
  id: z.string().regex(KEPT_FILE_ID, 'not a file id').describe('As a message in `chat.history` names it.'),
  offset: count.optional().describe('Start at this byte: the `nextOffset` of the previous part.'),
});
/** `chat.timeline`: what happened to a message, step by step. */
export const chatTimelineParams = z.strictObject({ runId: text });
