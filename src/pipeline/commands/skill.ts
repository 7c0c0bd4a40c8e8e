/** `/skill [name] [task]`: lists the agent's skills or runs one. */
import type { Command } from './command.ts';

const NAMED = /^([\w.-]{1,64})(?:\s+([\s\S]*))?$/;

export const skillCommand: Command = {
  name: 'skill',
  aliases: ['skills'],
  does: ['read', 'session'],
  usage: '/skill [name] [task]',
  summary: 'List the skills of the agent, or use one by name.',
  group: 'Conversation',
  takesText: true,
  native: {
    args: [
      { name: 'name', description: 'Which one' },
      { name: 'input', description: 'What for' },
    ],
  },
  asks(args) {
    const [, name, input = ''] = NAMED.exec(args.trim()) ?? [];
    return name === undefined
      ? undefined
      : [
          `Use the skill "${name}": read its SKILL.md and follow it. If there is no such skill, say so and ` +
            'name the nearest.',
          input.trim(),
        ]
          .filter(Boolean)
          .join('\n\n');
  },
  async run({ sessionKey }, host) {
    const skills = await host.skills(sessionKey);
    if (skills.length === 0)
      return {
        reply: '⚙️ This agent has no skills. To add one, put a folder with a SKILL.md into `skills/` in its workspace.',
      };
    return {
      reply: [
        '⚙️ Skills',
        ...skills.map(({ name, description }) => `${name}: ${description}`),
        'Use one with /skill <name> [task]',
      ].join('\n'),
    };
  },
};
