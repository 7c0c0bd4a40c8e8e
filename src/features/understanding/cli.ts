/** The rows of `clawdbot links …` and `clawdbot fetch …`: what would be read, and what may be fetched. */
import type { Command } from '../../cli/command.ts';
import { json, text } from '../../cli/options.ts';

export const heading = 'Commands and tools of agents';

export const commands: readonly Command[] = [
  {
    name: 'links explain',
    summary: 'Explain for each link in a text whether the gateway would read it, with which command, and why not.',
    examples: ['links explain "have a look at https://example.com"'],
    args: [{ name: 'text', help: 'Text of a message.' }],
    options: {
      channel: text('<id>', 'Channel of the message. Default: webchat.'),
      'chat-type': text('<type>', 'Chat type: direct, group or channel. Default: direct.'),
      agent: text('<id>', 'Agent id. Default: the default agent.'),
      session: text('<key>', 'Session key, for rules that depend on it.'),
      ...json,
    },
    load: async () => (await import('./commands/links-explain.ts')).linksExplain,
  },
  {
    name: 'fetch check',
    summary: 'Explain step by step whether the gateway may fetch a URL.',
    args: [{ name: 'url', help: 'URL or host name.' }],
    options: json,
    load: async () => (await import('./commands/fetch-check.ts')).fetchCheck,
  },
];
