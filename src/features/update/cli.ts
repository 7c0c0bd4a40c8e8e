/** The command line of updates. */
import type { Command } from '../../cli/command.ts';
import { client, flag, json } from '../../cli/options.ts';

export const heading = 'Run and inspect';

export const commands: readonly Command[] = [
  {
    name: 'update',
    summary: 'Update from git or the registry, build, and restart the gateway.',
    options: { check: flag('Only check for an update.'), ...json, ...client },
    load: async () => (await import('./commands.ts')).update,
  },
];
