/** The `bindings` slice: which agent answers where. */
import { z } from 'zod';

export const bindingsConfigSchema = z.array(z.object({
  agentId: z.string().min(1).describe('The agent that answers.'),
  match: z.object({
    channel: z.string().min(1).describe('Channel id.'),
    accountId: z.string().optional().describe('One account; absent or `*`: any account of the channel.'),
    peer: z.object({ kind: z.enum(['dm', 'direct', 'group', 'channel']).describe('Kind of chat.'), id: z.string().min(1).describe('Chat id, exact.') }).optional().describe('One chat.'),
    guildId: z.string().optional().describe('Discord server.'),
    teamId: z.string().optional().describe('Slack workspace or Teams team.'),
    roles: z.array(z.string()).optional().describe('Roles of the sender. No channel of this version tells them, so a binding with roles matches nobody.'),
  }).describe('All given fields must match.'),
})).default([]).describe('Rules from a place to an agent; more specific ones win, then the first listed.');

export type Binding = z.output<typeof bindingsConfigSchema>[number];
