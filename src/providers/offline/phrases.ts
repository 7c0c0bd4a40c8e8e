/** The grammar of the concierge: one row per phrase. A new ability is a new row. */
import { present } from '../../sdk/index.ts';
import { commandPhrases } from './command-phrases.ts';
import type { Phrase } from './phrase.ts';
import { inert, quote, unquoted } from './quoting.ts';
import { schedulePhrases } from './schedule-phrases.ts';
import { sessionPhrases } from './session-phrases.ts';

export const phrases: readonly Phrase[] = [
  {
    usage: 'status',
    does: 'shows this conversation: model, tokens, age',
    pattern: /^status[.!?]?$/i,
    tool: 'session_status',
    input: () => ({}),
    describe: ({ text }) => quote(text),
  },
  {
    usage: 'read <file>',
    does: 'shows a file of the workspace',
    pattern: /^read\s+(?!and\b|https?:\/\/)(\S.*)$/i,
    tool: 'read',
    input: ([, file = '']) => ({ path: unquoted(file) }),
    describe: ({ input, text, images }) =>
      images > 0
        ? `\`${inert(String(input['path']))}\` is a picture; I cannot see, but a real model could.`
        : `This is \`${inert(String(input['path']))}\`:\n\n${quote(text)}`,
  },
  {
    usage: 'write <file>: <text>',
    does: 'writes a file into the workspace',
    pattern: /^write\s+(\S(?:[^\n:]|:(?!\s|$))*):(?:\s|$)([\s\S]*)$/i,
    tool: 'write',
    input: ([, file = '', text = '']) => ({ path: unquoted(file.trim()), content: text }),
    describe: ({ text }) => inert(text),
  },
  ...commandPhrases,
  ...schedulePhrases,
  ...sessionPhrases,
  {
    usage: 'look at <image>[: <question>]',
    does: 'has the image model look at a file or address',
    pattern: /^look\s+at\s+(\S(?:[^\n:]|:(?!\s))*)(?::\s+(\S[\s\S]*))?$/i,
    tool: 'image',
    input: ([, image = '', prompt]) => present({ image: unquoted(image.trim()), prompt: prompt?.trimEnd() }),
    describe: ({ text }) => inert(text),
  },
];
