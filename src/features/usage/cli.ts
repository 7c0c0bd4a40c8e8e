/** The CLI rows of usage. */
import type { Command } from '../../cli/command.ts';
import { client, json, number, text } from '../../cli/options.ts';

export const heading = 'Run and inspect';

export const commands: readonly Command[] = [
  {
    name: 'usage show',
    aliases: ['usage'],
    summary: 'Show tokens, cost and latency of model answers, with the budgets.',
    options: {
      days: number('<n>', 'Days up to today, at most 366. Default: 30.'),
      by: text('<what>', 'Sum by day, model, agent or channel. Default: day.'),
      ...json,
      ...client,
    },
    examples: ['usage', 'usage --by model --days 7', 'usage --json'],
    load: async () => (await import('./commands/usage.ts')).usageShow,
  },
];
