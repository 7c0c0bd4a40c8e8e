/** `/usage`: adds a token usage line to each answer. */
import type { Command } from './command.ts';

const MODES = ['off', 'tokens', 'full'] as const;
type Mode = (typeof MODES)[number];

export const usageCommand: Command = {
  name: 'usage',
  does: ['change', 'session'],
  usage: '/usage [off|tokens|full|cost]',
  summary: 'Show usage under each answer; cost shows the total of the conversation.',
  group: 'Answers',
  takesText: false,
  takes: /^\S+$/,
  native: { args: [{ name: 'mode', description: 'What to show', choices: [...MODES, 'cost'] }] },
  async run({ args, sessionKey }, host) {
    const entry = host.entry(sessionKey);
    const word = args.toLowerCase();
    if (word === 'cost') return { reply: spent(entry) };
    const now = entry?.responseUsage ?? 'off';
    const next =
      word === ''
        ? MODES[(MODES.indexOf(now) + 1) % MODES.length]!
        : (
            { on: 'tokens', default: 'off', ...Object.fromEntries(MODES.map((mode) => [mode, mode])) } as Record<
              string,
              Mode
            >
          )[word];
    if (!next) return { reply: '⚠️ Usage is off, tokens, full or cost.' };
    await host.patch(sessionKey, { responseUsage: next === 'off' ? null : next });
    return { reply: `⚙️ Usage: ${next}.` };
  },
};

export const costCommand: Command = {
  name: 'cost',
  does: ['read', 'session'],
  usage: '/cost',
  summary: 'Show the usage of this conversation so far.',
  group: 'Information',
  takesText: false,
  native: {},
  run: async ({ sessionKey }, host) => ({ reply: spent(host.entry(sessionKey)) }),
};

function spent(
  entry: { readonly inputTokens?: number; readonly outputTokens?: number; readonly costUsd?: number } | undefined,
): string {
  const cost =
    entry?.costUsd === undefined
      ? 'The price is unknown: the configuration of the model sets none'
      : `About $${entry.costUsd.toFixed(4)}`;
  return `⚙️ This conversation: ${entry?.inputTokens ?? 0} tokens in, ${entry?.outputTokens ?? 0} out. ${cost}.`;
}
