/** `/restart`: restarts the gateway; the chat that asked is notified when it is back. */
import type { Command } from './command.ts';

export const restartCommand: Command = {
  name: 'restart',
  does: ['restart', 'gateway'],
  usage: '/restart',
  summary: 'Restart the gateway.',
  group: 'Control',
  changesRights: true,
  gate: 'restart',
  takesText: false,
  native: {},
  async run(call, host) {
    const { inMs } = host.restart(call);
    return {
      reply:
        `⚙️ Restarting in about ${Math.max(1, Math.round(inMs / 1000))} s. You will get a message here ` +
        'when it is done.',
    };
  },
};
