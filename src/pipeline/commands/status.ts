/** `/status`: what this session runs on and how full it is. */
import type { Command } from './command.ts';

export const statusCommand: Command = {
  name: 'status', does: ['read', 'gateway'], usage: '/status', summary: 'Show model, tokens, session and queue.', group: 'Information', takesText: false, inline: true, native: {},
  run: async ({ sessionKey }, host) => ({ reply: await host.statusCard(sessionKey) }),
};
