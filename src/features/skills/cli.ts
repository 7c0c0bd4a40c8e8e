/** The CLI rows of skills. */
import type { Command } from '../../cli/command.ts';
import { client, json, text } from '../../cli/options.ts';

const common = { agent: text('<id>', 'Agent id. Default: the default agent.'), ...json, ...client };

export const heading = 'Commands and tools of agents';

export const commands: readonly Command[] = [
  {
    name: 'skills list',
    aliases: ['skills'],
    summary: 'List the skills of an agent, and the missing requirements of each.',
    options: common,
    load: async () => (await import('./commands/skills.ts')).skillsList,
  },
  {
    name: 'skills show',
    summary: 'Print the requirements of a skill, and its text.',
    args: [{ name: 'name', help: 'Name of the skill, from `skills list`.' }],
    options: common,
    load: async () => (await import('./commands/skills.ts')).skillsShow,
  },
];
