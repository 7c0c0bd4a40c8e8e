/** `/activation` and `/send`: when the agent replies in this conversation, and whether it replies at all. */
import type { Command } from './command.ts';

export const activationCommand: Command = {
  name: 'activation',
  does: ['change', 'configuration'],
  perSession: true,
  usage: '/activation [mention|always]',
  summary: 'Set when the agent answers in this group: when addressed, or always.',
  group: 'Control',
  changesRights: true,
  takesText: false,
  takes: /^\S+$/,
  native: { args: [{ name: 'when', description: 'When to answer', choices: ['mention', 'always'] }] },
  async run({ args, row, sessionKey }, host) {
    if (row.message.address.chat.kind === 'direct')
      return { reply: '⚙️ Activation applies to groups only; here every message is answered.' };
    const word = args.toLowerCase();
    if (word === '')
      return {
        reply:
          `⚙️ Activation: ${host.entry(sessionKey)?.groupActivation ?? 'as configured'}. Modes: mention, ` +
          'always, default.',
      };
    if (word !== 'mention' && word !== 'always' && word !== 'default')
      return { reply: '⚠️ Activation is mention, always or default.' };
    await host.patch(sessionKey, { groupActivation: word === 'default' ? null : word });
    return { reply: `⚙️ Activation: ${word === 'default' ? 'as configured' : word}.` };
  },
};

const POLICY = { on: 'allow', off: 'deny', inherit: null, default: null } as const;

export const sendCommand: Command = {
  name: 'send',
  does: ['change', 'configuration'],
  perSession: true,
  usage: '/send [on|off|inherit]',
  summary: 'Turn answers in this conversation on or off.',
  group: 'Control',
  changesRights: true,
  takesText: false,
  takes: /^(?:on|off|inherit|default)$/i,
  native: { args: [{ name: 'policy', description: 'Whether to answer', choices: ['on', 'off', 'inherit'] }] },
  async run({ args, sessionKey }, host) {
    const word = args.toLowerCase() as keyof typeof POLICY | '';
    if (word === '')
      return {
        reply:
          '⚙️ Answers: ' +
          `${{ allow: 'on', deny: 'off', unset: 'as configured' }[host.entry(sessionKey)?.sendPolicy ?? 'unset']}. Modes: on, off, inherit.`,
      };
    await host.patch(sessionKey, { sendPolicy: POLICY[word] });
    return {
      reply:
        '⚙️ Answers: ' +
        `${{ on: 'on', off: 'off. Messages are accepted but not answered until /send on', inherit: 'as configured', default: 'as configured' }[word]}.`,
    };
  },
};
