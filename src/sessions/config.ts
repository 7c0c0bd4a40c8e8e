/** The `session` and `messages` slices of the configuration. */
import { z } from 'zod';
import { repliesShape } from '../config/delivery-config.ts';
import { pingPongSchema } from '../config/session-tools-config.ts';
import { DEFAULT_MAIN_KEY } from '../core/product.ts';
import { QUEUE_DROPS, QUEUE_MODES } from './queue-mode.ts';

const queueModeName = z.enum([...QUEUE_MODES, 'queue', 'steer-backlog', 'steer+backlog']);

const resetSchema = z.object({
  mode: z
    .enum(['none', 'daily', 'idle'])
    .optional()
    .describe(
      'When a session starts over by itself: never, at a fixed hour, or after a pause. Absent: `daily` with ' +
        'an `atHour`, else `idle` with `idleMinutes`, else `none`.',
    ),
  atHour: z
    .number()
    .transform((hour) => Math.min(23, Math.max(0, Math.floor(hour))))
    .optional()
    .describe('Hour of the daily reset, local time, 0-23; 4 when nothing is given.'),
  idleMinutes: z
    .number()
    .positive()
    .optional()
    .describe('Pause after which an idle reset happens; 60 when the mode is `idle` and nothing is given.'),
});
export type ResetPolicy = z.output<typeof resetSchema>;

export const sessionConfigSchema = z
  .object({
    scope: z
      .enum(['per-sender', 'global'])
      .default('per-sender')
      .describe('`global`: one conversation for everything direct.'),
    dmScope: z
      .enum(['main', 'per-peer', 'per-channel-peer', 'per-account-channel-peer'])
      .default('main')
      .describe('How direct chats are told apart.'),
    identityLinks: z
      .record(z.string(), z.array(z.string()))
      .default({})
      .describe('One person under several ids: name → list of `id` or `channel:id`.'),
    mainKey: z.string().min(1).default(DEFAULT_MAIN_KEY).describe("Last part of an agent's main session key."),
    store: z
      .string()
      .optional()
      .describe(
        'Path of sessions.json; `{agentId}` is replaced. Default: agents/{agentId}/sessions/sessions.json in ' +
          'the state directory.',
      ),
    resetTriggers: z.array(z.string()).default(['/new', '/reset']).describe('Texts that start the session over.'),
    reset: resetSchema.prefault({}),
    resetByType: z
      .object({ dm: resetSchema.optional(), group: resetSchema.optional(), thread: resetSchema.optional() })
      .default({})
      .describe('Reset policy by kind of chat.'),
    resetByChannel: z
      .record(z.string(), resetSchema)
      .default({})
      .describe('Reset policy by channel; wins over the others.'),
    agentToAgent: pingPongSchema.describe('How two sessions answer each other.'),
    sendPolicy: z
      .object({
        default: z.enum(['allow', 'deny']).default('allow').describe('When no rule matches.'),
        rules: z
          .array(
            z.object({
              action: z.enum(['allow', 'deny']).describe('What the rule says.'),
              match: z
                .object({
                  channel: z.string().optional().describe('Channel id.'),
                  chatType: z
                    .enum(['direct', 'dm', 'group', 'channel'])
                    .transform((kind) => (kind === 'dm' ? 'direct' : kind))
                    .optional()
                    .describe('Kind of chat; `dm` is another word for `direct`.'),
                  keyPrefix: z
                    .string()
                    .optional()
                    .describe('Beginning of the session key, with or without `agent:<id>:`.'),
                  rawKeyPrefix: z.string().optional().describe('Beginning of the whole session key.'),
                })
                .default({})
                .describe('All given fields must match.'),
            }),
          )
          .default([])
          .describe('The first matching deny wins.'),
      })
      .prefault({}),
  })
  .prefault({});
export type SessionConfig = z.output<typeof sessionConfigSchema>;

export const messagesConfigSchema = z
  .object({
    queue: z
      .object({
        mode: queueModeName
          .default('collect')
          .describe('What happens to a message that arrives while its session is busy.'),
        byChannel: z.record(z.string(), queueModeName).default({}).describe('Mode by channel.'),
        debounceMs: z
          .number()
          .min(0)
          .default(1000)
          .describe('Quiet time in ms before collected messages are answered.'),
        debounceMsByChannel: z.record(z.string(), z.number().min(0)).default({}).describe('Quiet time by channel.'),
        cap: z.number().min(1).default(20).describe('Most messages that wait in one session.'),
        drop: z
          .enum(QUEUE_DROPS)
          .default('summarize')
          .describe('What gives way at the cap: the oldest (kept as one line), the oldest, or the newest.'),
      })
      .prefault({}),
    inbound: z
      .object({
        debounceMs: z
          .number()
          .min(0)
          .max(60_000)
          .default(0)
          .describe(
            'Quiet time in ms before an idle session answers, so that what one person writes in several ' +
              'messages is answered once; 0: at once. Files and commands end it.',
          ),
        byChannel: z.record(z.string(), z.number().min(0).max(60_000)).default({}).describe('Quiet time by channel.'),
      })
      .prefault({})
      .describe('Messages on their way in.'),
    groupChat: z
      .object({
        mentionPatterns: z
          .array(z.string())
          .optional()
          .describe('Regular expressions that mean the agent in a group, in any case. Absent: its name and emoji.'),
        historyLimit: z
          .number()
          .int()
          .min(0)
          .max(500)
          .default(50)
          .describe('Messages since the last answer in a group that are told along; 0: none.'),
      })
      .prefault({})
      .describe('Groups.'),
    ...repliesShape,
  })
  .prefault({});
export type MessagesConfig = z.output<typeof messagesConfigSchema>;
