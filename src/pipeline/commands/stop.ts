/** `/stop`: ends the running turn and empties the queue. */
import type { Command } from './command.ts';

export const stopCommand: Command = {
  name: 'stop',
  usage: '/stop',
  summary: 'Stop what the agent is doing and forget what waits.',
  group: 'Conversation',
  takesText: false,
  native: {},
  async run({ row, sessionKey }, host) {
    const { turns, queued } = await host.stop(sessionKey, row.runId);
    if (turns === 0 && queued === 0) return { reply: '⚙️ Nothing was running.' };
    return { reply: `⚙️ Stopped${queued > 0 ? `; ${queued} waiting message${queued === 1 ? '' : 's'} dropped` : ''}.` };
  },
};
