/** Parses iMessage ids: handles of people, chats, targets. Pure. */
import type { ChatAddress, IdForms } from '../../sdk/index.ts';

const EMAIL = /^[^\s@;:,]{1,64}@[^\s@;:,]{1,190}$/;
const NUMBER = /^\+?\d{3,15}$/;
/** A row of the Messages database, or a guid: `iMessage;+;chat123`. */
const CHAT = /^(?:\d{1,18}|(?:iMessage|SMS|RCS|any);[+-];[^\s;]{1,200}|chat\d{1,40})$/i;
const PERSON = /^(?:\+?\d{3,15}|[^\s@;:,]{1,64}@[^\s@;:,]{1,190})$/;

export const IMESSAGE_IDS: IdForms = { chat: CHAT, person: PERSON };
export const TARGET_HINT = '+491701234567, ann@example.com, sms:<number>, chat_id:<n>, chat_guid:<guid>';

/** `+49 170 …` → `+49170…`, `Ann@Example.com` → `ann@example.com`; undefined for neither. */
export function handleOf(text: string): string | undefined {
  const bare = text.trim().replace(/^(?:tel|mailto):/i, '');
  if (bare.includes('@')) return EMAIL.test(bare) ? bare.toLowerCase() : undefined;
  const number = bare.replace(/[\s().-]/g, '').replace(/^00(?=\d{6})/, '+');
  return NUMBER.test(number) ? number : undefined;
}

export type Service = 'auto' | 'imessage' | 'sms';

/** Where a message goes, as both programs need it. */
export type Target =
  | { readonly kind: 'direct'; readonly handle: string; readonly service: Service }
  | { readonly kind: 'group'; readonly chatId: number }
  | { readonly kind: 'group'; readonly guid: string };

const CHAT_PREFIX = /^chat[_-]?(?:id|guid|identifier)?:/i;

export function parseTarget(target: string): Pick<ChatAddress, 'chat'> | undefined {
  const text = target.trim();
  const [, service = '', rest = ''] = /^(?:(imessage|sms|auto):)?(.*)$/is.exec(text) ?? [];
  const chat = rest.trim();
  if (CHAT_PREFIX.test(chat) || /^group:/i.test(chat)) {
    const id = chat
      .replace(CHAT_PREFIX, '')
      .replace(/^group:/i, '')
      .trim();
    return CHAT.test(id) ? { chat: { kind: 'group', id } } : undefined;
  }
  const handle = handleOf(chat.replace(/^user:/i, ''));
  if (handle === undefined) return undefined;
  const word = service.toLowerCase();
  return { chat: { kind: 'direct', id: word === 'sms' || word === 'imessage' ? `${word}:${handle}` : handle } };
}

export function senderEntry(entry: string): string | undefined {
  const bare = entry.trim().replace(/^(?:imessage|sms|auto):/i, '');
  return bare === '*' ? '*' : handleOf(bare);
}

/** `sms:+49…` names the service; otherwise the settings do. */
export function targetOf({ chat }: Pick<ChatAddress, 'chat'>, service: Service): Target {
  if (chat.kind !== 'direct')
    return /^\d+$/.test(chat.id) ? { kind: 'group', chatId: Number(chat.id) } : { kind: 'group', guid: chat.id };
  const [, named, handle] = /^(?:(imessage|sms):)?(.*)$/s.exec(chat.id) ?? [];
  return { kind: 'direct', handle: handle ?? chat.id, service: (named as Service | undefined) ?? service };
}
