/** Determines whom a message addresses: mentions, replies, and commands with a bot's name. */
import type { Message, MessageEntity } from 'grammy/types';
import type { UpdateContext } from './update-context.ts';

export interface Addressing {
  readonly addressesBot: boolean;
  readonly mentionsOthers: boolean;
  /** What the sender typed, without the bot's name, and without what stands there as a quotation or as code. */
  readonly command: string;
  /** From the menu of commands, by its own name. */
  readonly native: boolean;
  /** A command that carries another bot's name: none of our business. */
  readonly foreign: boolean;
}

/** Telegram marks at most a hundred places of a message. */
const ENTITIES_MAX = 100;

export function addressing(
  message: Message,
  text: string,
  { self, menu }: Pick<UpdateContext, 'self' | 'menu'>,
): Addressing {
  const input: unknown = message.entities ?? message.caption_entities;
  const marks = Array.isArray(input) ? input.slice(0, ENTITIES_MAX).filter(isEntity) : [];
  const quoted = quotedIn(marks, text);
  const entities = marks.filter(
    ({ offset, length }) => !quoted.some(({ start, end }) => offset < end && offset + length > start),
  );
  const own = self.username?.toLowerCase();
  const named = entities.flatMap((entity) => namedBy(entity, text, self.id));
  const mentioned = named.filter(({ name }) => name === own && own !== undefined);
  const others = named.filter(({ name }) => name !== own);
  const mentions = mentionsIn(mentioned, text);
  const whole = replaced(text, mentions).trim();
  const ownWords = replaced(text, [...mentions, ...quoted]).trim();
  const direct = message.chat.type === 'private';
  // Of a command that stands in plain text, a part may be marked as code.
  const command = ownWords.startsWith('/') ? whole : ownWords;
  const known = commandAt(entities, command, menu);
  // Without a name of its own the bot cannot be mentioned: then every message is for it.
  const pointed = entities.some((entity) => entity.type === 'text_mention' && entity.user?.id === self.id);
  return {
    addressesBot: direct || pointed || mentioned.length > 0 || answersBot(message, self.id) || own === undefined,
    mentionsOthers: others.length > 0,
    command: known ?? command,
    native: known !== undefined && (direct || mentioned.length > 0),
    foreign: others.some(({ command, start }) => command && start === 0) && mentioned.length === 0,
  };
}

/** A mark that makes no sense is none; the words stand without it. */
const isEntity = (value: unknown): value is MessageEntity =>
  typeof value === 'object' &&
  value !== null &&
  'offset' in value &&
  Number.isInteger(value.offset) &&
  'length' in value &&
  Number.isInteger(value.length);

interface Named {
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly command?: true;
}

/**
 * The name of a person or bot a piece of text carries; for a command only the part behind `@`. A mention of our id is a
 * mention of our name.
 */
function namedBy(entity: MessageEntity, text: string, selfId: number): Named[] {
  const { offset: start, length, type } = entity;
  const end = start + length;
  const words = text.slice(start, end);
  if (type === 'mention') return [{ name: words.slice(1).toLowerCase(), start, end }];
  if (type === 'text_mention') return entity.user?.id === selfId ? [] : [{ name: `#${entity.user?.id}`, start, end }];
  const at = type === 'bot_command' ? words.indexOf('@') : -1;
  return at < 0
    ? []
    : [{ name: words.slice(at + 1).toLowerCase(), start: start === 0 ? 0 : start + at, end, command: true }];
}

const QUOTED: readonly string[] = ['code', 'pre', 'blockquote', 'expandable_blockquote'];

/**
 * What was pasted as code or as a quotation is marked beside the text: there nobody means us, and one sign stands for
 * it.
 */
const quotedIn = (entities: readonly MessageEntity[], text: string): readonly Piece[] =>
  entities
    .filter(({ type }) => QUOTED.includes(type))
    .map(({ offset, length }) => ({
      start: Math.max(0, offset),
      end: Math.min(text.length, offset + length),
      by: '·',
    }));

/** Of a command its name stays. */
const mentionsIn = (named: readonly Named[], text: string): readonly Piece[] =>
  named.map(({ start, end, command }) =>
    command ? { start: text.indexOf('@', start), end, by: '' } : { start, end, by: ' ' },
  );

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

function replaced(text: string, pieces: readonly Piece[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const { start, end, by } of [...pieces].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    kept.push(text.slice(at, start), by);
    at = Math.max(start, end);
  }
  return kept.join('') + text.slice(at);
}

/** `/dock_x args` of the menu → `/dock-x args`; undefined when it is none of ours. */
function commandAt(
  entities: readonly MessageEntity[],
  command: string,
  menu: UpdateContext['menu'],
): string | undefined {
  if (!entities.some(({ type }) => type === 'bot_command')) return undefined;
  const [, name = '', rest = ''] = /^\/(\w+)(?![\w/])(.*)$/s.exec(command) ?? [];
  const known = menu.get(name.toLowerCase());
  return known === undefined ? undefined : `/${known}${rest}`;
}

/** In a topic every message hangs on the one that opened it: that is no answer. */
export const answeredMessage = ({
  reply_to_message: answered,
  message_thread_id: thread,
  is_topic_message: inTopic,
}: Message): Message['reply_to_message'] =>
  answered && !answered.forum_topic_created && !(inTopic && answered.message_id === thread) ? answered : undefined;

const answersBot = (message: Message, selfId: number): boolean => answeredMessage(message)?.from?.id === selfId;
