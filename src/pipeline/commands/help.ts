/** `/help`: the commands, read off the table itself. */
import type { Command } from './command.ts';

export const helpCommand: Command = {
  name: 'help', aliases: ['commands'], usage: '/help', summary: 'Show these commands.', takesText: false,
  run: async (_call, host) => ({ reply: ['⚙️ Commands', ...host.commands.map(({ usage, summary }) => `${usage} — ${summary}`), '', 'Anything else goes to the agent.'].join('\n') }),
};
