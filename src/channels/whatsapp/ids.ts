/** Parses WhatsApp ids: people by phone number, or by LID if the number is hidden; groups by JID. Pure. */
import type { ChatAddress, IdForms } from '../../sdk/index.ts';

const PHONE = /^\+[1-9]\d{5,14}$/;
const LID = /^\d{5,20}@lid$/;
const GROUP = /^\d{5,20}(?:-\d{5,20})?@g\.us$/;
/** `4915112345678:12@s.whatsapp.net`: the number, and which of its devices. */
const USER = /^(\d{5,20})(?:_\d{1,3})?(?::\d{1,3})?@(s\.whatsapp\.net|c\.us|hosted|lid|hosted\.lid)$/i;

export const WHATSAPP_IDS: IdForms = { chat: GROUP, person: /^(?:\+[1-9]\d{5,14}|\d{5,20}@lid)$/ };
export const TARGET_HINT = 'a phone number with its country code (+491511234567), or a group (12036304@g.us)';

export const isGroup = (id: string): boolean => GROUP.test(id);
export const isLid = (id: string): boolean => LID.test(id);
export const isPhone = (id: string): boolean => PHONE.test(id);

/** The person behind a JID, whatever the device: `+491511…`, `123@lid`; undefined for what is no person. */
export function personOf(jid: string | null | undefined): string | undefined {
  const [, user, server = ''] = USER.exec(jid ?? '') ?? [];
  if (user === undefined) return undefined;
  return server.toLowerCase().endsWith('lid') ? `${user}@lid` : `+${user}`;
}

/** A chat id of ours → where WhatsApp sends it. */
export const jidOf = (id: string): string => (isPhone(id) ? `${id.slice(1)}@s.whatsapp.net` : id);

/** The digits people type and mention somebody by. */
export const digitsOf = (id: string): string => id.replace(/[:@].*$/, '').replace('+', '');

/** Groups by JID, people by number, JID or LID; any other `@` is nobody. */
export function parseTarget(target: string): Pick<ChatAddress, 'chat'> | undefined {
  const text = bare(target);
  const group = text.replace(/^(?:group|channel):/i, '');
  if (isGroup(group.toLowerCase())) return { chat: { kind: 'group', id: group.toLowerCase() } };
  const person = personIn(text);
  return person === undefined ? undefined : { chat: { kind: 'direct', id: person } };
}

export function senderEntry(entry: string): string | undefined {
  const text = bare(entry);
  return text === '*' ? '*' : personIn(text);
}

/** `whatsapp:whatsapp:+49…` is written where names are joined. */
const bare = (text: string): string => text.trim().replace(/^(?:(?:whatsapp|wa):\s*){1,5}/i, '');

function personIn(text: string): string | undefined {
  const written = text.replace(/^user:/i, '').trim();
  if (written.includes('@')) return personOf(written.toLowerCase());
  if (!/^\+?[\d\s()./-]{5,40}$/.test(written)) return undefined;
  const digits = written.replace(/\D/g, '').replace(/^00/, '');
  return PHONE.test(`+${digits}`) ? `+${digits}` : undefined;
}
