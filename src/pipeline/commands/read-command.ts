/** Finds the command in a text, if any; only the person's own words are parsed. */
import type { SaidWords } from '../../core/said.ts';
import type { Command } from './command.ts';

/** `rest`: the lines behind it, which are for the agent. */
export interface ReadCommand {
  readonly command: Command;
  readonly args: string;
  readonly rest?: string;
}

/** Words that stop the agent when they are the whole message. */
const STOP_WORDS = new Set(['stop', 'esc', 'abort', 'wait', 'exit', 'interrupt']);
/** What clients put before a line they quote: `[Dec 4 17:35] `. */
const TIMESTAMP = /^\[[^\]\n]{0,80}?\d{1,2}:\d{2}[^\]\n]{0,80}\]\s*/;
/** Longer text is no stop word, whatever stands before it. */
const STOP_MAX = 200;

export const isStopWord = (text: SaidWords): boolean => STOP_WORDS.has(bare(text).toLowerCase());

function bare(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > STOP_MAX ? '' : trimmed.replace(TIMESTAMP, '');
}

/**
 * `/name args`, `/name: args`, a reset trigger, or a stop word; case of the name does not matter, case of the arguments
 * stays.
 */
export function readCommand(
  text: SaidWords,
  commands: readonly Command[],
  resetTriggers: readonly string[],
): ReadCommand | undefined {
  const trimmed = text.trim();
  const named = (name: string): Command | undefined =>
    commands.find((command) => command.name === name || command.aliases?.includes(name));
  if (isStopWord(text) || /^\/stop$/i.test(bare(trimmed))) return found(named('stop'), '');
  const reset = resetTriggers.find((trigger) => startsWithWord(trimmed, trigger));
  if (reset !== undefined)
    return found(named(reset.replace(/^\//, '').toLowerCase()) ?? named('new'), trimmed.slice(reset.length).trim());
  const match = /^\/([a-z][\w-]*)(?::|(?=\s)|$)\s*([\s\S]*)$/i.exec(trimmed);
  const command = match ? named(match[1]!.toLowerCase()) : undefined;
  if (!command || command.resets) return undefined;
  if (command.takesText) return { command, args: match![2]!.trim() };
  return onFirstLine(command, trimmed);
}

/** The command whose name a text begins with, whatever follows. */
export function commandBegun(text: SaidWords, commands: readonly Command[]): Command | undefined {
  const name = /^\s*\/([a-z][\w-]{0,40})(?=[\s:]|$)/i.exec(text)?.[1]?.toLowerCase();
  return commands.find((command) => command.name === name || (name !== undefined && command.aliases?.includes(name)));
}

/** Only its first line is the command; what stands below is the person's message. */
function onFirstLine(command: Command, text: string): ReadCommand | undefined {
  const end = text.indexOf('\n');
  const line = end === -1 ? text : text.slice(0, end);
  const args = line.replace(/^\/[a-z][\w-]*:?/i, '').trim();
  const rest = end === -1 ? '' : text.slice(end).trim();
  const behind = rest === '' ? {} : { rest };
  if (command.takes?.test(args)) return { command, args, ...behind };
  // `/status https://…` shares a link along with the command; other words after it make it a sentence.
  return args.replace(/https?:\/\/\S+/gi, '').trim() === '' ? { command, args: '', ...behind } : undefined;
}

const found = (command: Command | undefined, args: string): ReadCommand | undefined => command && { command, args };

function startsWithWord(text: string, word: string): boolean {
  const head = text.slice(0, word.length);
  return head.toLowerCase() === word.toLowerCase() && (text.length === word.length || /\s/.test(text[word.length]!));
}
