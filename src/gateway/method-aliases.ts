/** The old method names, from when a channel was called a provider. */
import type { Method, Methods } from './methods/method.ts';

const WORDS: Readonly<Record<string, string>> = {
  channelOrder: 'providerOrder',
  channelLabels: 'providerLabels',
  channels: 'providers',
  channelAccounts: 'providerAccounts',
  channelDefaultAccountId: 'providerDefaultAccountId',
};

/** `providers.<x>` for every `channels.<x>`, answering in the words of its time. */
export function withAliases(methods: Methods): Methods {
  const aliases = Object.entries(methods)
    .filter(([name]) => name.startsWith('channels.'))
    .map(([name, target]): [string, Method] => [
      name.replace(/^channels\./, 'providers.'),
      { ...target, run: async (params, call) => renamed(await target.run(params, call)) },
    ]);
  return { ...methods, ...Object.fromEntries(aliases) };
}

function renamed(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const kept = Object.entries(answer).filter(([name]) => !name.startsWith('channel') || name in WORDS);
  return Object.fromEntries(kept.map(([name, value]) => [WORDS[name] ?? name, value]));
}
