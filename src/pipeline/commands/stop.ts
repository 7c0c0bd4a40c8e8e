/** `/stop`: cancels the running turn, clears the queue and stops the session's sub-agents. */
import type { Command } from './command.ts';

export const stopCommand: Command = {
  name: 'stop',
  does: ['stop', 'session'],
  usage: '/stop',
  summary: 'Stop the running turn and clear the queue.',
  group: 'Conversation',
  takesText: false,
  native: {},
  async run({ row, sessionKey }, host) {
    const { turns, queued, subagents } = await host.stop(sessionKey, row.runId);
    if (turns + queued + subagents === 0) return { reply: '⚙️ Nothing was running.' };
    const [dropped, ended] = [counted(queued, 'waiting message', 'dropped'), counted(subagents, 'sub-agent', 'ended')];
    return { reply: `⚙️ Stopped${dropped}${ended}.` };
  },
};

const counted = (count: number, what: string, fate: string): string =>
  count > 0 ? `; ${count} ${what}${count === 1 ? '' : 's'} ${fate}` : '';
