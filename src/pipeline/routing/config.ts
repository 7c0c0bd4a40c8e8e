/** The `bindings` settings: which agent answers where. */
import { z } from 'zod';

export const bindingsConfigSchema = z
  .array(
    z.object({
      agentId: z.string().min(1).describe('The agent that answers.'),
      match: z
        .object({
          channel: z.string().min(1).describe('Channel id or alias.'),
          accountId: z.string().optional().describe('Account id. Absent or `*`: any account of the channel.'),
          peer: z
            .object({
              kind: z.enum(['dm', 'direct', 'group', 'channel']).describe('Kind of chat.'),
              id: z
                .string()
                .min(1)
                .describe(
                  'Exact chat id, or `*` for every chat of this kind. A thread uses the binding of its chat ' +
                    'unless it has its own, by its id or as `<chat>:topic:<id>`.',
                ),
            })
            .optional()
            .describe('One chat.'),
          guildId: z.string().optional().describe('Discord server.'),
          teamId: z.string().optional().describe('Slack workspace or Teams team.'),
          roles: z.array(z.string()).optional().describe('Role ids; the sender must have one of them.'),
        })
        .describe('All given fields must match.'),
      session: z
        .object({
          dmScope: z
            .enum(['main', 'per-peer', 'per-channel-peer', 'per-account-channel-peer'])
            .optional()
            .describe('How matching direct chats are separated into sessions; replaces `session.dmScope`.'),
        })
        .optional()
        .describe('Session settings of matching chats.'),
    }),
  )
  .default([])
  .describe('Rules that map chats to agents. More specific rules win, then earlier ones.');

export type Binding = z.output<typeof bindingsConfigSchema>[number];
