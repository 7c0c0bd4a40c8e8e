/** E-mail addresses: how they are read, compared and written as targets and chats. Pure. */
import type { ChatAddress, IdForms } from '../../sdk/index.ts';

/** ASCII only, so that no two addresses look alike; without characters that mean something elsewhere. */
const ADDRESS = /^[^\s@<>"(),:;\\/\u0000-\u0020\u007f-\uffff]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,253}[a-z0-9])?$/;
const PEOPLE = /^[^\s,]{3,320}(?:,[^\s,]{3,320}){0,19}$/;

export const EMAIL_IDS: IdForms = { chat: PEOPLE, person: ADDRESS };
export const TARGET_HINT = 'ann@example.com, or ann@example.com,bob@example.com for one mail to several people';
/** Mail to more people is treated as a mailing. */
export const MAX_PEOPLE = 20;

/** Lower case; undefined when it is no plain address. */
export function readAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase();
  return ADDRESS.test(address) ? address : undefined;
}

const MAX_FROM = 1000;

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/**
 * The one address of a From header. Only the plain forms are read, `a@b`, `<a@b>` and `Name <a@b>`: where two programs
 * could read different people out of a header, nobody is read.
 */
export function readFrom(header: string): string | undefined {
  const text = header.trim();
  if (text.length > MAX_FROM) return undefined;
  const inAngles = /^(?:"(?:[^"\\]|\\.)*"\s*|[^"<>,;:()]*)<([^<>]+)>$/s.exec(text)?.[1];
  if (inAngles === undefined) return readAddress(text);
  const name = text.slice(0, text.lastIndexOf('<')).trim();
  const address = readAddress(inAngles);
  // An address in place of a name is somebody else's, unless it is quoted or the same.
  const quoted = name.startsWith('"');
  return !quoted && name.includes('@') && name.toLowerCase() !== address ? undefined : address;
}

/** The people of a conversation, without the bot: one person is a direct chat, several are a group. */
export function chatOf(people: Iterable<string>): ChatAddress['chat'] {
  const all = [...new Set(people)].toSorted();
  return { kind: all.length === 1 ? 'direct' : 'group', id: all.join(',') };
}

export const peopleOf = (chat: ChatAddress['chat']): readonly string[] => chat.id.split(',');

export function parseTarget(target: string): Pick<ChatAddress, 'chat'> | undefined {
  const text = target
    .trim()
    .replace(/^(?:email|mailto):/i, '')
    .replace(/^(?:user|group):/i, '');
  const people = text.split(',').map(readAddress);
  if (people.length > MAX_PEOPLE || people.includes(undefined)) return undefined;
  return { chat: chatOf(people as readonly string[]) };
}

export function senderEntry(entry: string): string | undefined {
  const text = entry.trim().replace(/^(?:email|mailto|user):/i, '');
  return text === '*' ? '*' : readAddress(text);
}
