/** The CLI rows of agents, besides their list. */
import type { Command } from '../../cli/command.ts';
import { client, json } from '../../cli/options.ts';

export const heading = 'Talk';

export const commands: readonly Command[] = [
  {
    name: 'agents show',
    summary: 'Show the effective settings of an agent: identity, folder, models, skills, tools and files.',
    args: [{ name: 'id', optional: true, help: 'Agent id. Default: the default agent.' }],
    options: { ...json, ...client },
    load: async () => (await import('./commands/agents-show.ts')).agentsShow,
  },
];
