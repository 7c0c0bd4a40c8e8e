/** Parses the ways people and models write a Discord target. Pure. */
import type { ChatAddress, IdForms } from '../../sdk/index.ts';

const ID = /^\d{1,25}$/;
const KEY = /^#?\d{1,25}$/;
/** Nothing but digits is a name, whatever people call their channels. */
export const DISCORD_IDS: IdForms = { chat: KEY, space: KEY, person: ID, names: true };
const LINK = /^https?:\/\/(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com\/channels\/(?:@me|\d+)\/(\d+)(?:\/(\d+))?\/?$/i;

export const TARGET_HINT =
  'user:<id>, channel:<id> (a thread is a channel too), a mention like <@id> or <#id>, or a link to a ' +
  'channel; never a name';

/** Bare ids are channels. A name is no target: it may be anybody's. */
export function parseTarget(target: string): Pick<ChatAddress, 'chat'> | undefined {
  const text = target
    .trim()
    .replace(/^discord:/i, '')
    .trim();
  const link = LINK.exec(text);
  if (link) return channel(link[1]!);
  const user = /^(?:user:|dm:|<@!?)\s*(\d+)>?$/i.exec(text)?.[1];
  if (user && ID.test(user)) return { chat: { kind: 'direct', id: user } };
  const group = /^group:\s*(\d+)$/i.exec(text)?.[1];
  if (group && ID.test(group)) return { chat: { kind: 'group', id: group } };
  const place = /^(?:channel:|thread:|<#)?\s*(\d+)>?$/i.exec(text)?.[1];
  return place && ID.test(place) ? channel(place) : undefined;
}

const channel = (id: string): Pick<ChatAddress, 'chat'> => ({ chat: { kind: 'channel', id } });

/** `discord:123`, `user:123`, `<@123>`, `123` → `123`; a name can never be a sender. */
export function senderEntry(entry: string): string | undefined {
  const text = entry
    .trim()
    .replace(/^discord:/i, '')
    .replace(/^user:/i, '');
  if (text === '*') return '*';
  const id = /^<@!?(\d+)>$/.exec(text)?.[1] ?? text;
  return ID.test(id) ? id : undefined;
}

/** `https://discord.com/channels/<guild>/<channel>/<message>` → its parts. */
export function parseMessageLink(link: string): { readonly channelId: string; readonly messageId: string } | undefined {
  const found = LINK.exec(link.trim());
  return found?.[2] ? { channelId: found[1]!, messageId: found[2] } : undefined;
}
