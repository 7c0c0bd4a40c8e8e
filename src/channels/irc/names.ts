/** Compares IRC names, recognizes rooms, and identifies people. Pure. */
import type { ChatAddress, IdForms } from '../../sdk/index.ts';

const ROOM = /^[#&][^\s,:\u0007]{1,100}$/;
/** `nick!user@host`, or the name of an account with the network's services. */
const PERSON = /^(?:[^\s!@:#&,*]{1,64}![^\s!@]{1,64}@[^\s!@]{1,255}|[^\s!@:#&,*]{1,64})$/;

export const IRC_IDS: IdForms = { chat: ROOM, person: PERSON };
export const TARGET_HINT = '#channel, or user:<services account> (user:<nick!user@host> for who has none)';

/** ASCII letters alone: networks that fold more fold characters nobody's name is told apart by. */
export const fold = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
export const isRoom = (name: string): boolean => ROOM.test(name);

/**
 * Who somebody is: the account with services they are logged in to, which nobody can take; else all that is known of
 * them.
 */
export const personOf = (source: string, account: string | undefined): string =>
  fold(account !== undefined && account !== '' && account !== '*' ? account : source);

/** Rooms by name; people by what cannot be taken over, never by a bare nick. */
export function parseTarget(target: string): Pick<ChatAddress, 'chat'> | undefined {
  const text = target.trim().replace(/^irc:/i, '');
  const person = /^user:(.+)$/i.exec(text)?.[1]?.trim();
  if (person !== undefined) return PERSON.test(person) ? { chat: { kind: 'direct', id: fold(person) } } : undefined;
  const room = text.replace(/^(?:channel|group):/i, '').trim();
  return isRoom(room) ? { chat: { kind: 'group', id: fold(room) } } : undefined;
}

export function senderEntry(entry: string): string | undefined {
  const text = entry
    .trim()
    .replace(/^irc:/i, '')
    .replace(/^user:/i, '');
  if (text === '*') return '*';
  return PERSON.test(text) ? fold(text) : undefined;
}
