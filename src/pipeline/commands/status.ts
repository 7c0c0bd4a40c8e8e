/** `/status`: what this session runs on and how full it is. */
import type { Command } from './command.ts';

export const statusCommand: Command = {
  name: 'status', usage: '/status', summary: 'Show model, tokens, session and queue.', takesText: false,
  run: async ({ sessionKey }, host) => ({ reply: await host.statusCard(sessionKey) }),
};
