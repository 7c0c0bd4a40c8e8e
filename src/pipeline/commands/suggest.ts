/** Suggests the nearest command for a mistyped one, instead of passing the text to the agent. */
import { nearest } from '../../config/suggest.ts';
import type { SaidWords } from '../../core/said.ts';
import type { Command } from './command.ts';
import type { ReadCommand } from './read-command.ts';

/** The whole message, on one line: `/name` and what may stand behind it. */
const SLASHED = /^\s*\/([a-z][\w-]{1,40})(?::|(?=\s)|$)[ \t]*([^\n]{0,400})$/i;

/** Undefined: it is a command, or like none. */
export function suggestion(text: SaidWords, commands: readonly Command[]): ReadCommand | undefined {
  const [, written = '', args = ''] = SLASHED.exec(text.trimEnd()) ?? [];
  const name = written.toLowerCase();
  const names = commands.flatMap((command) => [
    command.name,
    ...(command.aliases ?? []).filter((alias) => alias.length > 2),
  ]);
  if (name === '' || commands.some((command) => command.name === name || command.aliases?.includes(name)))
    return undefined;
  const near = nearest(name, names);
  return near === undefined ? undefined : { command: asking(name, near), args };
}

const asking = (name: string, near: string): Command => ({
  name,
  does: ['read', 'gateway'],
  usage: `/${name}`,
  summary: '',
  group: 'Information',
  takesText: true,
  run: ({ args }) =>
    Promise.resolve({
      reply:
        `⚙️ Unknown command /${name}. Did you mean \`/${near}${args === '' ? '' : ` ${args.trim()}`}\`? /commands ` +
        'lists all; to send it to the agent, leave out the slash.',
    }),
});
