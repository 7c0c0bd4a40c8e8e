/** `/bash <command>`: runs a command for the owner under the agent's policy and approvals. */
import type { Command } from './command.ts';

const POLL_OR_STOP = /^(poll|stop)(?:\s+([\w-]{1,80}))?$/i;

export const bashCommand: Command = {
  name: 'bash',
  does: ['change', 'configuration'],
  usage: '/bash <command>',
  summary: 'Run a command as the agent would; /bash poll and /bash stop manage running commands.',
  group: 'Control',
  takesText: true,
  changesRights: true,
  gate: 'bash',
  async run(call, host) {
    if (call.args === '') return { reply: '⚙️ Usage: /bash <command>, /bash poll [session], /bash stop <session>' };
    const [, verb, id] = POLL_OR_STOP.exec(call.args) ?? [];
    if (verb === undefined) return { reply: await host.bash(call, { command: call.args }) };
    return { reply: await host.bash(call, verb.toLowerCase() === 'poll' ? { poll: id } : { stop: id }) };
  },
};
