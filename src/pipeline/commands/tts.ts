/** `/tts`: turns spoken answers on or off. */
import type { Command } from './command.ts';

export const ttsCommand: Command = {
  name: 'tts',
  aliases: ['voice'],
  does: ['read', 'gateway'],
  usage: '/tts',
  summary: 'Show whether answers are spoken.',
  group: 'Answers',
  takesText: true,
  run: () =>
    Promise.resolve({
      reply:
        '⚙️ Spoken answers: off. This gateway has no text-to-speech; answers are text. Recordings an ' +
        'agent makes or finds are sent as voice notes if the channel supports them.',
    }),
};
