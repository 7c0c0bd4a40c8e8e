/** The `bindings` slice: which agent answers where. */
import { z } from 'zod';

export const bindingsConfigSchema = z
  .array(
    z.object({
      agentId: z.string().min(1).describe('The agent that answers.'),
      match: z
        .object({
          channel: z.string().min(1).describe('Channel id, or another name the channel goes by.'),
          accountId: z.string().optional().describe('One account; absent or `*`: any account of the channel.'),
          peer: z
            .object({
              kind: z.enum(['dm', 'direct', 'group', 'channel']).describe('Kind of chat.'),
              id: z
                .string()
                .min(1)
                .describe(
                  'Chat id, exact; `*` for every chat of this kind. A thread is answered like its chat, ' +
                    'unless it is bound itself: by its own id, or as `<chat>:topic:<id>`.',
                ),
            })
            .optional()
            .describe('One chat.'),
          guildId: z.string().optional().describe('Discord server.'),
          teamId: z.string().optional().describe('Slack workspace or Teams team.'),
          roles: z.array(z.string()).optional().describe('The sender has one of these roles, by id.'),
        })
        .describe('All given fields must match.'),
      session: z
        .object({
          dmScope: z
            .enum(['main', 'per-peer', 'per-channel-peer', 'per-account-channel-peer'])
            .optional()
            .describe('How direct chats that come this way are told apart, in place of `session.dmScope`.'),
        })
        .optional()
        .describe('Sessions of chats that come this way.'),
    }),
  )
  .default([])
  .describe('Rules from a place to an agent; more specific ones win, then the first listed.');

export type Binding = z.output<typeof bindingsConfigSchema>[number];
