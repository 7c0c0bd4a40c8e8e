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
      'When a session resets automatically: never, daily at a fixed hour, or when idle. Absent: `daily` with ' +
        'an `atHour`, else `idle` with `idleMinutes`, else `none`.',
    ),
  atHour: z
    .number()
    .transform((hour) => Math.min(23, Math.max(0, Math.floor(hour))))
    .optional()
    .describe('Hour of the daily reset, local time, 0-23. Default: 4.'),
  idleMinutes: z
    .number()
    .positive()
    .optional()
    .describe('Minutes without messages before an idle reset. Default in mode `idle`: 60.'),
});
export type ResetPolicy = z.output<typeof resetSchema>;

export const sessionConfigSchema = z
  .object({
    scope: z
      .enum(['per-sender', 'global'])
      .default('per-sender')
      .describe('`global`: one session for all direct chats.'),
    dmScope: z
      .enum(['main', 'per-peer', 'per-channel-peer', 'per-account-channel-peer'])
      .default('main')
      .describe('How direct chats are separated into sessions.'),
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
    resetTriggers: z.array(z.string()).default(['/new', '/reset']).describe('Messages that reset the session.'),
    reset: resetSchema.prefault({}),
    resetByType: z
      .object({ dm: resetSchema.optional(), group: resetSchema.optional(), thread: resetSchema.optional() })
      .default({})
      .describe('Reset policy by chat type.'),
    resetByChannel: z
      .record(z.string(), resetSchema)
      .default({})
      .describe('Reset policy by channel; takes precedence.'),
    agentToAgent: pingPongSchema.describe('Messages between sessions.'),
    sendPolicy: z
      .object({
        default: z.enum(['allow', 'deny']).default('allow').describe('Action if no rule matches.'),
        rules: z
          .array(
            z.object({
              action: z.enum(['allow', 'deny']).describe('Action of the rule.'),
              match: z
                .object({
                  channel: z.string().optional().describe('Channel id.'),
                  chatType: z
                    .enum(['direct', 'dm', 'group', 'channel'])
                    .transform((kind) => (kind === 'dm' ? 'direct' : kind))
                    .optional()
                    .describe('Chat type; `dm` means `direct`.'),
                  keyPrefix: z
                    .string()
                    .optional()
                    .describe('Prefix of the session key, with or without `agent:<id>:`.'),
                  rawKeyPrefix: z.string().optional().describe('Prefix of the whole session key.'),
                })
                .default({})
                .describe('All given fields must match.'),
            }),
          )
          .default([])
          .describe('Rules; a matching deny takes precedence.'),
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
          .describe('Milliseconds without new messages before collected messages are answered.'),
        debounceMsByChannel: z.record(z.string(), z.number().min(0)).default({}).describe('The same by channel.'),
        cap: z.number().min(1).default(20).describe('Maximum number of queued messages per session.'),
        drop: z
          .enum(QUEUE_DROPS)
          .default('summarize')
          .describe(
            'What is dropped at the cap: the oldest messages (kept as one line each), the oldest, or the newest.',
          ),
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
            'Milliseconds without new messages before an idle session answers, so that several short ' +
              'messages get one answer; 0: answer immediately. Files and commands end the wait.',
          ),
        byChannel: z.record(z.string(), z.number().min(0).max(60_000)).default({}).describe('The same by channel.'),
      })
      .prefault({})
      .describe('Incoming messages.'),
    groupChat: z
      .object({
        mentionPatterns: z
          .array(z.string())
          .optional()
          .describe(
            'Case-insensitive regular expressions that address the agent in a group. Absent: its name and emoji.',
          ),
        historyLimit: z
          .number()
          .int()
          .min(0)
          .max(500)
          .default(50)
          .describe('Number of messages since the last answer in a group to include as context; 0: none.'),
      })
      .prefault({})
      .describe('Groups.'),
    ...repliesShape,
  })
  .prefault({});
export type MessagesConfig = z.output<typeof messagesConfigSchema>;
