/** The command line of updates. */
import type { Command } from '../../cli/command.ts';
import { client, flag, json } from '../../cli/options.ts';

export const commands: readonly Command[] = [
  {
    name: 'update',
    summary: 'Take newer code from git or the registry, build it and restart the gateway with it.',
    options: { check: flag('Only say whether there is some.'), ...json, ...client },
    load: async () => (await import('./commands.ts')).update,
  },
];
