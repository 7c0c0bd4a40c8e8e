/** Takes a message apart: commands it consists of or is accompanied by, what it asks for itself, and the words for the agent. Pure. */
import { mayCommand, standingOf } from '../../core/authority.ts';
import type { Command, Wish } from './command.ts';
import type { InboundRow } from './inbound-row.ts';
import { isStopWord, readCommand, type ReadCommand } from './read-command.ts';

export interface ReadRules {
  readonly commands: readonly Command[];
  /** False: only native commands are read, and what stops the agent. */
  readonly text: boolean;
  readonly resetTriggers: readonly string[];
  /** Aliases of models, in lower case. */
  readonly modelNames: readonly string[];
}

export interface Said {
  /** The message is nothing but these. */
  readonly alone: readonly ReadCommand[];
  /** Answered at once, while the rest goes its way. */
  readonly beside: readonly ReadCommand[];
  readonly wishes: readonly Wish[];
  /** It starts the session over; `text` is what stood behind it. */
  readonly reset?: Command;
  /** For the agent: as it was written when nothing was taken out of it. */
  readonly text: string;
}

const plain = (text: string): Said => ({ alone: [], beside: [], wishes: [], text });

/** `spoken`: the words of a voice note, in place of what was written. */
export function readSaid(row: InboundRow, rules: ReadRules, spoken?: string): Said {
  const { message, commands = true } = row;
  if (!commands) return plain(message.text);
  const words = spoken ?? message.command ?? message.text;
  if (!rules.text && !message.native) return stopAlone(words, rules) ?? plain(message.text);
  const command = readCommand(words, rules.commands, rules.resetTriggers);
  const hasFiles = message.attachments.length > 0;
  if (!mayCommand(row.authority)) return command && !command.command.resets && !command.command.wish && command.rest === undefined ? { ...plain(message.text), alone: [command] } : plain(message.text);
  const may = mayUse(row);
  if (command?.command.resets) return { ...takeOut(command.args, may, rules), reset: command.command };
  const setsLevel = command?.command.wish !== undefined && (hasFiles || command.rest !== undefined);
  if (command && !setsLevel) return command.rest === undefined ? { ...plain(message.text), alone: [command] } : besides(command, takeOut(command.rest, may, rules));
  const rest = takeOut(words, may, rules);
  if (rest.beside.length + rest.found.length === 0) return plain(message.text);
  if (rest.text === '' && !hasFiles) return { ...plain(message.text), alone: [...rest.beside, ...rest.found] };
  return rest;
}

const besides = (command: ReadCommand, said: Said): Said => ({ ...said, beside: [command, ...said.beside] });

/** Whatever the configuration says of text commands, a person can always stop the agent. */
function stopAlone(words: string, rules: ReadRules): Said | undefined {
  const stop = isStopWord(words) || /^\s*\/stop\s*$/i.test(words) ? readCommand(words, rules.commands, []) : undefined;
  return stop && { ...plain(words), alone: [stop] };
}

/** Wishes are for those who may use the command itself. */
const mayUse = (row: InboundRow) => (command: Command): boolean => !command.owner || standingOf(row.authority) === 'owner';

/** Commands that are read in one message, and words with a slash that are looked at: those behind them are words. It bounds the work on a hostile one. */
const MOST = 32;
const MOST_LOOKED_AT = 1000;

/** Answers for places in order whether they are between fences, where nobody means us; every character is looked at once. */
function codeIn(text: string): (at: number) => boolean {
  let [inside, next] = [false, text.indexOf('```')];
  return (at) => {
    for (; next !== -1 && next + 3 <= at; next = text.indexOf('```', next + 3)) inside = !inside;
    return inside;
  };
}

interface TakenOut extends Said { /** The wishes as the commands they would be alone. */ readonly found: readonly ReadCommand[] }

/** Commands inside a sentence: behind its beginning or white space, before white space, a colon or the end. */
function takeOut(text: string, may: (command: Command) => boolean, rules: ReadRules): TakenOut {
  const beside: ReadCommand[] = [];
  const found: ReadCommand[] = [];
  const wishes: Wish[] = [];
  const kept: string[] = [];
  const isCode = codeIn(text);
  let [from, looked] = [0, 0];
  for (const match of text.matchAll(/(?<=^|\s)\/([a-z][\w-]*)(?=\s|:|$)/gi)) {
    if (beside.length + found.length >= MOST || looked++ >= MOST_LOOKED_AT) break;
    if (match.index < from) continue;
    const name = match[1]!.toLowerCase();
    const command = rules.commands.find((one) => one.name === name || one.aliases?.includes(name));
    const taken = command && may(command) && !isCode(match.index) ? taking(command, text.slice(match.index + match[0].length), rules) : undefined;
    if (!command || !taken) continue;
    kept.push(text.slice(from, match.index));
    from = match.index + match[0].length + taken.length;
    if (taken.wish) wishes.push(taken.wish);
    (taken.wish ? found : beside).push({ command, args: taken.args });
  }
  if (from === 0) return { ...plain(text), found };
  const words = [...kept, text.slice(from)].reduce(closed, '').replace(/[ \t]{2,}/g, ' ').replace(/[ \t]+$/gm, '').trim();
  return { alone: [], beside: onceEach(beside), wishes, text: words, found };
}

/** The sentence goes on with its comma where something was taken out before it. */
const closed = (before: string, after: string): string => `${/^[.,!?]/.test(after) ? before.trimEnd() : before}${after}`;

const onceEach = (list: readonly ReadCommand[]): ReadCommand[] => list.filter((one, index) => list.findIndex(({ command }) => command === one.command) === index);

/** How much behind the name belongs to it. */
function taking(command: Command, behind: string, rules: ReadRules): { length: number; args: string; wish?: Wish } | undefined {
  if (command.inline) return { length: behind.startsWith(':') ? 1 : 0, args: '' };
  const gap = /^:?[ \t]*/.exec(behind)![0].length;
  const read = command.wish?.(behind.slice(gap), rules);
  return read && { length: gap + read.length, args: behind.slice(gap, gap + read.length), wish: read.wish };
}

/** All a message asks for itself; what it says last counts. */
export const wishOf = ({ wishes }: Pick<Said, 'wishes'>): Wish => ({
  options: Object.assign({}, ...wishes.map(({ options }) => options)) as NonNullable<Wish['options']>,
  queue: Object.assign({}, ...wishes.map(({ queue }) => queue)) as NonNullable<Wish['queue']>,
});
