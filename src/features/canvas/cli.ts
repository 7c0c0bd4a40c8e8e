/** The command table of the canvas. */
import type { Command } from '../../cli/command.ts';
import { client, json, number, text } from '../../cli/options.ts';

const document = { name: 'document', help: 'Document id, from `canvas list`.' };
const end = { ...json, ...client };
const run = async () => import('./commands.ts');

export const heading = 'Commands and tools of agents';

export const commands: readonly Command[] = [
  {
    name: 'canvas list',
    aliases: ['canvas'],
    summary: 'List the documents that agents created.',
    options: { session: text('<key>', 'Only documents of this session.'), ...end },
    load: async () => (await run()).canvasList,
  },
  {
    name: 'canvas open',
    summary: 'Print an address that opens a document, or the canvas folder of an agent.',
    args: [{ ...document, optional: true }],
    options: { agent: text('<id>', 'Agent whose canvas folder is opened. Default: the default agent.'), ...end },
    load: async () => (await run()).canvasOpen,
  },
  {
    name: 'canvas delete',
    summary: 'Remove a document with all its versions.',
    args: [document],
    options: end,
    load: async () => (await run()).canvasDelete,
  },
  {
    name: 'canvas restore',
    summary: 'Make an earlier version of a document the current one.',
    args: [document],
    options: { version: number('<n>', 'Version number. Default: the one before the current.'), ...end },
    load: async () => (await run()).canvasRestore,
  },
];
