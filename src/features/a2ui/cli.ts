/** The command table of `clawdbot canvas …` for surfaces. */
import type { Command } from '../../cli/command.ts';
import { client, flag, json, text } from '../../cli/options.ts';

export const heading = 'Commands and tools of agents';

const session = { session: text('<key>', 'Session of the canvas. Default: the main session.') };
const end = { ...json, ...client };

export const commands: readonly Command[] = [
  {
    name: 'canvas a2ui push',
    summary: 'Push surfaces (A2UI 0.8) to a canvas.',
    options: {
      jsonl: text('<file>', 'File with one message per line; `-` reads standard input.'),
      text: text('<text>', 'Show this text.'),
      ...session,
      ...end,
    },
    examples: ['canvas a2ui push --text "Hello from A2UI"', 'canvas a2ui push --jsonl dashboard.jsonl'],
    load: async () => (await import('./commands.ts')).push,
  },
  {
    name: 'canvas a2ui reset',
    summary: 'Delete the surfaces of a canvas.',
    options: { surface: text('<id>', 'Only this surface.'), ...session, ...end },
    load: async () => (await import('./commands.ts')).reset,
  },
  {
    name: 'canvas surfaces',
    summary: 'List the canvases that have surfaces.',
    options: end,
    load: async () => (await import('./commands.ts')).list,
  },
  {
    name: 'canvas link',
    summary: 'Print the address at which a browser shows a canvas.',
    options: {
      surface: text('<id>', 'Only this surface.'),
      renew: flag('Make a new address; the old one stops working.'),
      ...session,
      ...end,
    },
    load: async () => (await import('./commands.ts')).link,
  },
];
