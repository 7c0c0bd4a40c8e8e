/** How replies appear on channels while they are written: typing, block streaming, pauses, acknowledgement. */
import { z } from 'zod';

export const TYPING_MODES = ['never', 'instant', 'thinking', 'message'] as const;
export type TypingMode = (typeof TYPING_MODES)[number];
export const ACK_SCOPES = ['group-mentions', 'group-all', 'direct', 'all', 'off', 'none'] as const;
export type AckScope = (typeof ACK_SCOPES)[number];

export const humanDelaySchema = z.object({
  mode: z
    .enum(['off', 'natural', 'custom'])
    .default('off')
    .describe('Pause before every block except the first: none, 800 to 2500 ms, or between `minMs` and `maxMs`.'),
  minMs: z.number().min(0).max(60_000).default(800).describe('Minimum pause of `custom`, in milliseconds.'),
  maxMs: z.number().min(0).max(60_000).default(2500).describe('Maximum pause of `custom`, in milliseconds.'),
});
export type HumanDelay = z.output<typeof humanDelaySchema>;

/** Spread into `agents.defaults`. */
export const liveShape = {
  blockStreamingDefault: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'Send answers in blocks while they are generated, on channels where `blockStreaming` is on or blocks are ' +
        'the default.',
    ),
  blockStreamingBreak: z
    .enum(['text_end', 'message_end'])
    .default('text_end')
    .describe('When blocks are sent: each as soon as it is complete, or all at the end of a model message.'),
  blockStreamingChunk: z
    .object({
      minChars: z.number().int().min(1).default(800).describe('Minimum length of a block in characters.'),
      maxChars: z.number().int().min(1).default(1200).describe('Maximum length of a block in characters.'),
      breakPreference: z
        .enum(['paragraph', 'newline', 'sentence'])
        .default('paragraph')
        .describe('Preferred place to end a block.'),
    })
    .prefault({})
    .describe('The size of blocks.'),
  blockStreamingCoalesce: z
    .object({
      minChars: z.number().int().min(1).optional().describe('Merge blocks until they have this many characters.'),
      maxChars: z.number().int().min(1).optional().describe('Never merge into more than this many characters.'),
      idleMs: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Send merged blocks after this pause, in milliseconds. Default: 1000.'),
    })
    .prefault({})
    .describe('How finished blocks are merged.'),
  humanDelay: humanDelaySchema.prefault({}).describe('Human-like pauses between blocks.'),
  typingMode: z
    .enum(TYPING_MODES)
    .optional()
    .describe(
      'When to show the typing indicator: `never`, immediately (`instant`), when reasoning starts, or when text ' +
        'starts (`message`). Default: `instant` in direct chats and when addressed, else `message`.',
    ),
  typingIntervalSeconds: z
    .number()
    .min(1)
    .max(60)
    .default(6)
    .describe('Seconds after which the typing indicator is sent again.'),
} as const;

/** Spread into `messages`. */
export const repliesShape = {
  responsePrefix: z
    .string()
    .optional()
    .describe(
      'Prefix of every answer; may contain {model}, {modelFull}, {provider}, {thinkingLevel}, {identity.name}. ' +
        '`auto`: the name of the agent in brackets.',
    ),
  ackReaction: z.string().optional().describe('Emoji reaction to received messages. Absent or empty: none.'),
  ackReactionScope: z
    .enum(ACK_SCOPES)
    .default('group-mentions')
    .describe(
      'Messages that get the reaction: group messages that address the agent, all group messages, direct ' +
        'messages, all, or none.',
    ),
  removeAckAfterReply: z.boolean().default(false).describe('Remove the reaction after the answer is sent.'),
} as const;
