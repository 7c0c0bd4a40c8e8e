/** `/subagents [list|stop <number>|stop all]`: lists and stops this conversation's sub-agents. */
import type { Command } from './command.ts';

const USAGE = '/subagents [list|stop <number>|stop all]';

export const subagentsCommand: Command = {
  name: 'subagents',
  does: ['stop', 'session'],
  usage: USAGE,
  summary: 'List the sub-agents of this conversation, or stop them.',
  group: 'Conversation',
  takesText: false,
  takes: /^(?:list|(?:stop|kill)\s+(?:all|\d+))$/i,
  native: { args: [{ name: 'action', description: 'list, stop <number> or stop all' }] },
  async run({ args, sessionKey }, host) {
    const going = await host.subagents(sessionKey);
    const which = /^(?:stop|kill)\s+(all|\d+)$/i.exec(args)?.[1]?.toLowerCase();
    if (going.length === 0) return { reply: '⚙️ This conversation has no running sub-agents.' };
    if (which === undefined)
      return {
        reply: [
          '⚙️ Sub-agents',
          ...going.map(({ label, agentId }, index) => `${index + 1}. ${label} (${agentId})`),
          `Stop one with /subagents stop <number>`,
        ].join('\n'),
      };
    const chosen = which === 'all' ? going : going.slice(Number(which) - 1, Number(which));
    if (chosen.length === 0 || which === '0') return { reply: `⚠️ There is no sub-agent ${which}. Usage: ${USAGE}` };
    const stopped = await host.stopSubagents(
      sessionKey,
      chosen.map(({ id }) => id),
    );
    return { reply: `⚙️ Stopped ${stopped} ${stopped === 1 ? 'sub-agent' : 'sub-agents'}.` };
  },
};
