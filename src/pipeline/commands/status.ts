/** `/status`: the session's model, settings and context usage. */
import { standingOf } from '../../core/authority.ts';
import type { Command } from './command.ts';

export const statusCommand: Command = {
  name: 'status',
  does: ['read', 'gateway'],
  usage: '/status',
  summary: 'Show model, tokens, session and queue.',
  group: 'Information',
  takesText: false,
  inline: true,
  native: {},
  // Senders who may only write get nothing about other people's conversations.
  run: async ({ sessionKey, row }, host) => ({
    reply: await host.statusCard(sessionKey, standingOf(row.authority) !== 'visitor'),
  }),
};
