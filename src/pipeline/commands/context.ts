/** `/context`: how full the context is, and what uses it. */
import type { Command } from './command.ts';

const SHOWN = 14;

export const contextCommand: Command = {
  name: 'context',
  does: ['read', 'session'],
  usage: '/context',
  summary: 'Show what fills the context.',
  group: 'Information',
  takesText: false,
  native: {},
  async run(call, host) {
    const { parts, used, window } = await host.contextReport(call);
    const sorted = [...parts].sort((a, b) => b.tokens - a.tokens);
    const more = sorted.slice(SHOWN);
    const lines = sorted.slice(0, SHOWN).map(({ name, tokens }) => `${name}: ${tokens}`);
    return {
      reply: [
        `⚙️ Context: about ${used} of ${window} tokens (${Math.round((used / Math.max(1, window)) * 100)} %)`,
        ...lines,
        ...(more.length > 0 ? [`${more.length} more: ${more.reduce((sum, { tokens }) => sum + tokens, 0)}`] : []),
        '/compact makes room.',
      ].join('\n'),
    };
  },
};
