/** `/compact [instructions]`: the model summarises the conversation so far. */
import type { Command } from './command.ts';

export const compactCommand: Command = {
  name: 'compact',
  does: ['change', 'session'],
  usage: '/compact [what to keep]',
  summary: 'Summarise the conversation to free context.',
  takesText: true,
  group: 'Conversation',
  async run({ args, sessionKey }, host) {
    const done = await host.compact(sessionKey, args || undefined);
    if (done === 'postponed') return { postponed: true };
    const { compacted, before, after, reason } = done;
    return {
      reply: compacted
        ? `⚙️ Compacted: about ${before} tokens became ${after}.`
        : `⚙️ Nothing compacted: ${reason ?? 'the conversation is too short to summarise.'}`,
    };
  },
};
