/** Finds the command a text is, if it is one. Pure; only what the person wrote is looked at. */
import type { Command } from './command.ts';

export interface ReadCommand { readonly command: Command; readonly args: string }

/** Words that stop the agent when they are the whole message. */
const STOP_WORDS = new Set(['stop', 'esc', 'abort', 'wait', 'exit', 'interrupt']);

/** `/name args`, `/name: args`, a reset trigger, or a stop word; case of the name does not matter, case of the arguments stays. */
export function readCommand(text: string, commands: readonly Command[], resetTriggers: readonly string[]): ReadCommand | undefined {
  const trimmed = text.trim();
  const named = (name: string): Command | undefined => commands.find((command) => command.name === name || command.aliases?.includes(name));
  if (STOP_WORDS.has(trimmed.toLowerCase())) return found(named('stop'), '');
  const reset = resetTriggers.find((trigger) => startsWithWord(trimmed, trigger));
  if (reset !== undefined) return found(named(reset.replace(/^\//, '').toLowerCase()) ?? named('new'), trimmed.slice(reset.length).trim());
  const match = /^\/([a-z][\w-]*)(?::|(?=\s)|$)\s*([\s\S]*)$/i.exec(trimmed);
  const command = match ? named(match[1]!.toLowerCase()) : undefined;
  if (!command || command.resets) return undefined;
  const args = match![2]!.trim();
  if (command.takesText || command.takes?.test(args)) return { command, args };
  // `/status https://…` shares a link along with the command; other words after it make it a sentence.
  return args.replace(/https?:\/\/\S+/gi, '').trim() === '' ? { command, args: '' } : undefined;
}

const found = (command: Command | undefined, args: string): ReadCommand | undefined => command && { command, args };

function startsWithWord(text: string, word: string): boolean {
  const head = text.slice(0, word.length);
  return head.toLowerCase() === word.toLowerCase() && (text.length === word.length || /\s/.test(text[word.length]!));
}
