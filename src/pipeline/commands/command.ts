/** The definition of a slash command, and what it may do. */
import type { NativeCommand } from '../../core/channel.ts';
import type { Offered } from '../../core/choice.ts';
import type { TurnOptions } from '../../core/turn.ts';
import type { QueueSettings } from '../../sessions/queue-mode.ts';
import type { CommandCall, CommandFacts } from './command-call.ts';
import type { CommandHost } from './command-host.ts';

export interface Command extends CommandFacts {
  /** False: `/name x` is ordinary text. */
  readonly takesText: boolean;
  /** Words it takes all the same; anything else behind it makes the message a sentence. */
  readonly takes?: RegExp;
  /** Reached through `session.resetTriggers` alone. */
  readonly resets?: boolean;
  /** Inside a sentence it is answered, and the rest goes to the agent. */
  readonly inline?: true;
  /** Inside a sentence it holds for that message. */
  readonly request?: InlineRequestReader;
  /** What it asks of the agent with these words; undefined: it is answered by `run`. Pure. */
  asks?(args: string): string | undefined;
  /** It changes who may do what, or what holds: it works only as a message that is typed, and nothing but it. */
  readonly changesRights?: true;
  /**
   * It acts on one session: where several agents answer one message, on that of each. Absent: what changes a session
   * does.
   */
  readonly perSession?: true;
  /** How platforms offer it; absent: not at all. */
  readonly native?: { readonly args?: NativeCommand['args'] };
  run(call: CommandCall, host: CommandHost): Promise<CommandAnswer>;
}

/**
 * `reply` is told without a model, and `choices` are offered below it; `turn` goes on to the model in place of the
 * command; `postponed`: the process goes, and the next run runs it.
 */
export type CommandAnswer =
  | { readonly reply: string; readonly choices?: Offered }
  | { readonly turn: string }
  | { readonly postponed: true };

/** What a message asks for itself alone. */
export interface InlineRequest {
  readonly options?: Pick<TurnOptions, 'model' | 'thinking' | 'verbose' | 'reasoning'>;
  readonly queue?: Partial<QueueSettings>;
}

/** Whether each of several agents carries it out; one of them answers. */
export const actsOnSession = ({ perSession, does: [verb, kind] }: Pick<Command, 'perSession' | 'does'>): boolean =>
  perSession ?? (kind === 'session' && verb !== 'read');

/**
 * Reads what follows the name: how many characters belong to it, and what they ask for; undefined: these words mean
 * nothing to it. Pure.
 */
export type InlineRequestReader = (
  words: string,
  known: { readonly modelNames: readonly string[] },
) => { readonly length: number; readonly request: InlineRequest } | undefined;

/** A level behind a name, by every word people use for it. */
export const levelRequest =
  <T extends string>(levels: Readonly<Record<string, T>>, request: (level: T) => InlineRequest): InlineRequestReader =>
  (words) => {
    const word = /^[a-z]+(?=\s|[.,!?]?(?:\s|$))/i.exec(words)?.[0];
    const level =
      word === undefined || !Object.hasOwn(levels, word.toLowerCase()) ? undefined : levels[word.toLowerCase()];
    return level === undefined ? undefined : { length: word!.length, request: request(level) };
  };

/** Each level under its own name, and further words for some. */
export const levelWords = <T extends string>(
  levels: readonly T[],
  others: Readonly<Record<string, T>> = {},
): Readonly<Record<string, T>> => ({ ...Object.fromEntries(levels.map((level) => [level, level])), ...others });
