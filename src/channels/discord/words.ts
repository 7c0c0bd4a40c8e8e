/** Renders a Discord message as readable text: mentions as names; embeds, stickers and polls as text. Pure. */
import type { APIMessage } from '@discordjs/core';
import { text } from './place.ts';

/** How ids are called. */
export interface Names {
  role(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/** The parts of a message, or of a forwarded one, that say something. */
export type Speaking = Partial<Pick<APIMessage, 'content' | 'embeds' | 'mentions' | 'sticker_items' | 'poll'>>;

/** `<@1>` → `@Ann`, `<#2>` → `#general`, `<:wave:3>` → `:wave:`. What nobody knows stays as it is. */
export function named(
  content: string,
  { message, names }: { readonly message: Speaking; readonly names: Names },
): string {
  const people = new Map(list(message.mentions).map((user) => [user.id, nameOf(user)]));
  return content
    .replace(/<@!?(\d+)>/g, (whole, id: string) => prefixed('@', people.get(id), whole))
    .replace(/<@&(\d+)>/g, (whole, id: string) => prefixed('@', names.role(id), whole))
    .replace(/<#(\d+)>/g, (whole, id: string) => prefixed('#', names.channel(id), whole))
    .replace(/<a?(:\w+:)\d+>/g, '$1')
    .replace(/<\/([\w -]+):\d+>/g, '/$1')
    .replace(/<t:(-?\d{1,12})(?::[a-zA-Z])?>/g, (whole, seconds: string) => timestamp(Number(seconds)) ?? whole);
}

const prefixed = (mark: string, name: string | undefined, whole: string): string =>
  name === undefined ? whole : `${mark}${name}`;
const timestamp = (seconds: number): string | undefined =>
  Math.abs(seconds) < 8_640_000_000_000 ? new Date(seconds * 1000).toISOString() : undefined;

/** Nickname or display name, else the user name. */
export function nameOf(user: {
  readonly global_name?: string | null;
  readonly username?: string;
  readonly member?: { readonly nick?: string | null } | undefined;
}): string | undefined {
  return text(user.member?.nick) ?? text(user.global_name) ?? text(user.username);
}

/** What was written, else what the message shows instead. */
export function wordsOf(message: Speaking, names: Names): string {
  const content = text(message.content);
  const said = content === undefined ? embedText(message) : named(content, { message, names });
  return [said, stickerText(message), pollText(message)].filter((part) => part !== '').join('\n');
}

function embedText({ embeds }: Speaking): string {
  return list(embeds)
    .flatMap((embed) => {
      const fields = list(embed.fields).map(({ name, value }) => `${name}: ${value}`);
      return [text(embed.title), text(embed.description), ...fields].filter((part) => part !== undefined);
    })
    .join('\n');
}

const stickerText = ({ sticker_items }: Speaking): string =>
  list(sticker_items)
    .map(({ name }) => `<media:sticker> (${name.replace(/\s+/g, ' ')})`)
    .join('\n');

function pollText({ poll }: Speaking): string {
  const question = text(poll?.question?.text);
  if (question === undefined) return '';
  return [
    `[poll] ${question}`,
    ...list(poll?.answers).map(({ poll_media }, at) => `${at + 1}. ${poll_media?.text ?? ''}`),
  ].join('\n');
}

/** An array of objects, whatever came. */
export function list<T>(value: readonly T[] | undefined | null): readonly T[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}

/** The content without mentions of these, and whether somebody else is named in it. */
export function withoutMentions(
  content: string,
  ours: { readonly users: readonly string[]; readonly roles: readonly string[] },
): { readonly rest: string; readonly hit: boolean; readonly others: boolean } {
  const found = { hit: false, others: false };
  const isOurs = (role: string, id: string): boolean => (role === '&' ? ours.roles : ours.users).includes(id);
  const rest = content.replace(/<@([!&]?)(\d+)>[ \t]?/g, (whole, mark: string, id: string) => {
    const own = isOurs(mark, id);
    found[own ? 'hit' : 'others'] = true;
    return own ? '' : whole;
  });
  return { rest: rest.trim(), ...found };
}
