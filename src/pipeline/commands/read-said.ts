/** Splits a message into commands, inline directives, and the text for the agent. Pure. */
import { mayCommand } from '../../core/authority.ts';
import { NOTHING_SAID, type SaidWords } from '../../core/said.ts';
import type { Command, InlineRequest } from './command.ts';
import type { InboundRow } from './inbound-row.ts';
import { mayUse } from './run-command.ts';
import { suggestion } from './suggest.ts';
import { commandBegun, isStopWord, readCommand, type ReadCommand } from './read-command.ts';

export interface ReadRules {
  readonly commands: readonly Command[];
  /** False: only native commands are read, and what stops the agent. */
  readonly text: boolean;
  readonly resetTriggers: readonly string[];
  /** Aliases of models, in lower case. */
  readonly modelNames: readonly string[];
}

export interface TakenApart {
  /** The message is nothing but these. */
  readonly alone: readonly ReadCommand[];
  /** Answered at once, while the rest goes its way. */
  readonly beside: readonly ReadCommand[];
  readonly requests: readonly InlineRequest[];
  /** It starts the session over; `text` is what stood behind it. */
  readonly reset?: Command;
  /** Starts the message and would change rights, but not inside a message; its authorized sender is notified. */
  readonly heldBack?: Command;
  /** For the agent: as it was shown when nothing was taken out of it. */
  readonly text: string;
}

const plain = (text: string): TakenApart => ({ alone: [], beside: [], requests: [], text });

/** `spoken`: the words of a voice note, in place of what was typed. */
export function readSaid(row: InboundRow, rules: ReadRules, spoken?: SaidWords): TakenApart {
  const { message, commands = true } = row;
  const words = spoken ?? message.said;
  if (!commands || words === NOTHING_SAID) return plain(message.text);
  const taken = takeApart(row, rules, { words, spoken: spoken !== undefined });
  const begun =
    taken.alone.length === 0 && (rules.text || message.native) ? commandBegun(words, rules.commands) : undefined;
  return begun?.changesRights && mayUse(begun, row).ok ? { ...taken, heldBack: begun } : taken;
}

function takeApart(
  row: InboundRow,
  rules: ReadRules,
  { words, spoken }: { readonly words: SaidWords; readonly spoken: boolean },
): TakenApart {
  const { message } = row;
  if (!rules.text && !message.native) return stopAlone(words, rules) ?? plain(message.text);
  const command = readCommand(words, rules.commands, rules.resetTriggers);
  const hasFiles = message.attachments.length > 0;
  const request = command && mayUse(command.command, row).ok ? command.command.asks?.(command.args) : undefined;
  if (request !== undefined) return plain(request);
  const meant =
    command || hasFiles || spoken || !mayCommand(row.authority) ? undefined : suggestion(words, rules.commands);
  if (meant) return { ...plain(message.text), alone: [meant] };
  // Rights change by a message that is typed, and nothing but the command.
  if (command?.command.changesRights && (spoken || hasFiles || command.rest !== undefined)) return plain(message.text);
  // A sender who may not use commands gets a notice, or an answer, if the message is only a command.
  if (command?.command.resets && !mayUse(command.command, row).ok) return { ...plain(message.text), alone: [command] };
  if (!mayCommand(row.authority) && !command?.command.resets)
    return command && command.rest === undefined && !hasFiles
      ? { ...plain(message.text), alone: [command] }
      : plain(message.text);
  const may = (one: Command): boolean => mayCommand(row.authority) && !one.changesRights;
  const shown = { text: message.text, words };
  if (command?.command.resets) return { ...takeOut(command.args, { may, rules, shown }), reset: command.command };
  const setsLevel = command?.command.request !== undefined && (hasFiles || command.rest !== undefined);
  if (command && !setsLevel)
    return command.rest === undefined
      ? { ...plain(message.text), alone: [command] }
      : besides(command, takeOut(command.rest, { may, rules, shown }));
  const rest = takeOut(words, { may, rules, shown });
  if (rest.beside.length + rest.found.length === 0) return plain(message.text);
  if (rest.left.trim() === '' && !hasFiles) return { ...plain(message.text), alone: [...rest.beside, ...rest.found] };
  return rest;
}

const besides = (command: ReadCommand, rest: TakenApart): TakenApart => ({
  ...rest,
  beside: [command, ...rest.beside],
});

/** Whatever the configuration says of text commands, a person can always stop the agent. */
function stopAlone(words: SaidWords, rules: ReadRules): TakenApart | undefined {
  const stop = isStopWord(words) || /^\s*\/stop\s*$/i.test(words) ? readCommand(words, rules.commands, []) : undefined;
  return stop && { ...plain(words), alone: [stop] };
}

/**
 * Commands that are read in one message, and words with a slash that are looked at: those behind them are words. It
 * bounds the work on a hostile one.
 */
const MAX = 32;
const MAX_EXAMINED = 1000;

/**
 * Answers for places in order whether they are quoted or code, where nobody means us; every character is looked at
 * once.
 */
function codeIn(text: string): (at: number) => boolean {
  let [from, fenced, ticked, quoted] = [0, false, false, false];
  return (at) => {
    for (; from < at; from++) {
      if (text.startsWith('```', from)) [fenced, ticked, from] = [!fenced, false, from + 2];
      else if (text[from] === '`') ticked = !ticked;
      if (from === 0 || text[from - 1] === '\n')
        [quoted, ticked] = [/^[ \t]*>/.test(text.slice(from, from + QUOTE_INDENT)), text[from] === '`'];
    }
    return fenced || ticked || quoted || /^[ \t]*>/.test(lineStart(text, at));
  };
}

/** Blanks before a `>` that still make a quote. */
const QUOTE_INDENT = 8;
const lineStart = (text: string, at: number): string =>
  at === 0 || text[at - 1] === '\n' ? text.slice(at, at + QUOTE_INDENT) : '';

interface TakenOut extends TakenApart {
  /** The inline requests as the commands they would be alone. */
  readonly found: readonly ReadCommand[];
  /** Of the words, without what was taken out of them. */
  readonly left: string;
}

interface Taking {
  readonly may: (command: Command) => boolean;
  readonly rules: ReadRules;
  /** What the agent is shown of the message, and the words it was said in. */
  readonly shown: { readonly text: string; readonly words: string };
}

/** Commands inside a sentence: behind its beginning or white space, before white space, a colon or the end. */
function takeOut(text: string, { may, rules, shown }: Taking): TakenOut {
  const beside: ReadCommand[] = [];
  const found: ReadCommand[] = [];
  const requests: InlineRequest[] = [];
  const kept: string[] = [];
  const taken: string[] = [];
  const isCode = codeIn(text);
  let [from, examined] = [0, 0];
  for (const match of text.matchAll(/(?<=^|\s)\/([a-z][\w-]*)(?=\s|:|$)/gi)) {
    if (beside.length + found.length >= MAX || examined++ >= MAX_EXAMINED) break;
    if (match.index < from) continue;
    const name = match[1]!.toLowerCase();
    const command = rules.commands.find((one) => one.name === name || one.aliases?.includes(name));
    const piece =
      command && may(command) && !isCode(match.index)
        ? taking(command, text.slice(match.index + match[0].length), rules)
        : undefined;
    if (!command || !piece) continue;
    kept.push(text.slice(from, match.index));
    from = match.index + match[0].length + piece.length;
    taken.push(text.slice(match.index, from));
    if (piece.request) requests.push(piece.request);
    (piece.request ? found : beside).push({ command, args: piece.args });
  }
  const left = from === 0 ? text : tidied([...kept, text.slice(from)].reduce(closed, ''));
  return { alone: [], beside: onceEach(beside), requests, left, text: forAgent(left, { text, taken, shown }), found };
}

const tidied = (text: string): string =>
  text
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .trim();

/**
 * Where more is shown than was said – names in place of ids, what a sticker is called – the same pieces go out of that.
 */
function forAgent(
  left: string,
  { text, taken, shown }: { readonly text: string; readonly taken: readonly string[]; readonly shown: Taking['shown'] },
): string {
  if (shown.text === shown.words) return left;
  const before = shown.words.endsWith(text) ? shown.words.slice(0, shown.words.length - text.length).trim() : '';
  return [before, ...taken]
    .filter((piece) => piece !== '')
    .reduce(without, shown.text)
    .trim();
}

/** Without the first place where the piece stands; as it is, where it stands nowhere. */
function without(text: string, piece: string): string {
  const at = text.indexOf(piece);
  return at === -1 ? text : tidied(`${text.slice(0, at)}${text.slice(at + piece.length)}`);
}

/** The sentence goes on with its comma where something was taken out before it. */
const closed = (before: string, after: string): string =>
  `${/^[.,!?]/.test(after) ? before.trimEnd() : before}${after}`;

const onceEach = (list: readonly ReadCommand[]): ReadCommand[] =>
  list.filter((one, index) => list.findIndex(({ command }) => command === one.command) === index);

/** How much behind the name belongs to it. */
function taking(
  command: Command,
  behind: string,
  rules: ReadRules,
): { length: number; args: string; request?: InlineRequest } | undefined {
  if (command.inline) return { length: behind.startsWith(':') ? 1 : 0, args: '' };
  const gap = /^:?[ \t]*/.exec(behind)![0].length;
  const read = command.request?.(behind.slice(gap), rules);
  return read && { length: gap + read.length, args: behind.slice(gap, gap + read.length), request: read.request };
}

/** All a message asks for itself; what it says last counts. */
export const inlineRequestOf = ({ requests }: Pick<TakenApart, 'requests'>): InlineRequest => ({
  options: Object.assign({}, ...requests.map(({ options }) => options)) as NonNullable<InlineRequest['options']>,
  queue: Object.assign({}, ...requests.map(({ queue }) => queue)) as NonNullable<InlineRequest['queue']>,
});
