/**
 * How answers are shown on channels while they are written: typing, blocks, pauses, the sign that a message was seen.
 */
import { z } from 'zod';

export const TYPING_MODES = ['never', 'instant', 'thinking', 'message'] as const;
export type TypingMode = (typeof TYPING_MODES)[number];
export const ACK_SCOPES = ['group-mentions', 'group-all', 'direct', 'all', 'off', 'none'] as const;
export type AckScope = (typeof ACK_SCOPES)[number];

export const humanDelaySchema = z.object({
  mode: z
    .enum(['off', 'natural', 'custom'])
    .default('off')
    .describe('Pause before every block but the first: none, 800 to 2500 ms, or between `minMs` and `maxMs`.'),
  minMs: z.number().min(0).max(60_000).default(800).describe('Shortest pause of `custom`, in ms.'),
  maxMs: z.number().min(0).max(60_000).default(2500).describe('Longest pause of `custom`, in ms.'),
});
export type HumanDelay = z.output<typeof humanDelaySchema>;

/** Spread into `agents.defaults`. */
export const liveShape = {
  blockStreamingDefault: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'Send answers in finished blocks while they are written, where the channel has `blockStreaming` on or shows blocks by itself.',
    ),
  blockStreamingBreak: z
    .enum(['text_end', 'message_end'])
    .default('text_end')
    .describe('When blocks go out: as they are finished, or all at the end of each message of the model.'),
  blockStreamingChunk: z
    .object({
      minChars: z.number().int().min(1).default(800).describe('Characters a block has at least.'),
      maxChars: z.number().int().min(1).default(1200).describe('Characters a block has at most.'),
      breakPreference: z
        .enum(['paragraph', 'newline', 'sentence'])
        .default('paragraph')
        .describe('Where a block ends by preference.'),
    })
    .prefault({})
    .describe('The size of blocks.'),
  blockStreamingCoalesce: z
    .object({
      minChars: z.number().int().min(1).optional().describe('Merge blocks until there are so many characters.'),
      maxChars: z.number().int().min(1).optional().describe('Never merge beyond.'),
      idleMs: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Send what there is after such a pause, in ms. Default 1000.'),
    })
    .prefault({})
    .describe('How finished blocks are merged.'),
  humanDelay: humanDelaySchema.prefault({}).describe('Pauses between blocks, as a person would make them.'),
  typingMode: z
    .enum(TYPING_MODES)
    .optional()
    .describe(
      'When the agent is shown as typing: `never`, at once (`instant`), when it begins to think, or when it begins to write (`message`). Default: `instant` in direct chats and where it was addressed, else `message`.',
    ),
  typingIntervalSeconds: z
    .number()
    .min(1)
    .max(60)
    .default(6)
    .describe('Seconds after which the typing sign is shown again.'),
} as const;

/** Spread into `messages`. */
export const repliesShape = {
  responsePrefix: z
    .string()
    .optional()
    .describe(
      'Put before every answer; may name {model}, {modelFull}, {provider}, {thinkingLevel}, {identity.name}. `auto`: the name of the agent in brackets.',
    ),
  ackReaction: z.string().optional().describe('Emoji set on messages that were seen. Absent or empty: none.'),
  ackReactionScope: z
    .enum(ACK_SCOPES)
    .default('group-mentions')
    .describe('Which messages get it: in groups those that address the agent, all in groups, direct ones, all, none.'),
  removeAckAfterReply: z.boolean().default(false).describe('Take the reaction away once the answer is there.'),
} as const;
