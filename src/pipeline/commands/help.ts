/** `/help` and `/commands`: lists commands from the table. */
import { COMMAND_GROUPS, type CommandCall, type CommandFacts } from './command-call.ts';
import type { Command } from './command.ts';
import type { CommandHost } from './command-host.ts';
import { mayUse } from './run-command.ts';

const PER_PAGE = 10;

/** Those that are turned on and for who asks, in the order of their groups. */
function offered({ row }: CommandCall, { commands, settings }: CommandHost): readonly CommandFacts[] {
  const { commands: on } = settings();
  return COMMAND_GROUPS.flatMap((group) =>
    commands.filter(
      (command) => command.group === group && (!command.gate || on[command.gate]) && mayUse(command, row).ok,
    ),
  );
}

export const helpCommand: Command = {
  name: 'help',
  does: ['read', 'gateway'],
  usage: '/help',
  summary: 'Show the available commands.',
  group: 'Information',
  takesText: false,
  inline: true,
  native: {},
  async run(call, host) {
    const all = offered(call, host);
    const groups = COMMAND_GROUPS.map(
      (group) => [group, all.filter((command) => command.group === group)] as const,
    ).filter(([, list]) => list.length > 0);
    return {
      reply: [
        '⚙️ Commands',
        ...groups.map(([group, list]) => `${group}: ${list.map(({ name }) => `/${name}`).join(' ')}`),
        '',
        '/commands explains each. Anything else goes to the agent.',
      ].join('\n'),
    };
  },
};

export const commandsCommand: Command = {
  name: 'commands',
  does: ['read', 'gateway'],
  usage: '/commands [page]',
  summary: 'List the commands, page by page.',
  group: 'Information',
  takesText: false,
  takes: /^\d+$/,
  inline: true,
  native: { args: [{ name: 'page', description: 'Which page' }] },
  async run(call, host) {
    const all = offered(call, host);
    const pages = Math.ceil(all.length / PER_PAGE);
    const page = Math.min(pages, Math.max(1, Number(call.args) || 1));
    const list = all
      .slice((page - 1) * PER_PAGE, page * PER_PAGE)
      .map(
        ({ usage, summary, aliases = [] }) =>
          `${usage} — ${summary}${aliases.length > 0 ? ` Also ${aliases.map((alias) => `/${alias}`).join(' ')}.` : ''}`,
      );
    return {
      reply: [
        `⚙️ Commands (${page} of ${pages})`,
        ...list,
        ...(page < pages ? [`More: /commands ${page + 1}`] : []),
      ].join('\n'),
    };
  },
};
