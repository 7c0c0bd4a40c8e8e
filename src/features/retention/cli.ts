/** The rows of `clawdbot storage …`. */
import type { Command } from '../../cli/command.ts';
import { client, flag, json } from '../../cli/options.ts';

export const heading = 'Run and inspect';

export const commands: readonly Command[] = [
  {
    name: 'storage',
    summary: 'Show what the gateway stores and how much disk space it uses.',
    options: {
      prune: flag('Delete old logs and orphaned transcripts now, as the `retention` settings say.'),
      'dry-run': flag('With --prune: only show what would be removed.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands.ts')).storage,
  },
];
