/** Converts a WhatsApp message to message facts. Pure. */
import { NOTHING_SAID, typed } from '../../sdk/said.ts';
import { present, type InboundMessage, type Quoted } from '../../sdk/index.ts';
import { attachmentsOf, contactsOf, locationOf, mediaKind, wordsFor } from './attachments.ts';
import { contextOf, numberOf, unwrap, wordsOf, type WaContent, type WaContext, type WaMessage } from './content.ts';
import { digitsOf } from './ids.ts';
import type { WaSelf } from './socket.ts';

/** What surrounds a message, found before it is read. */
export interface ProcessScanner {
  readonly channel: string;
  readonly accountId: string;
  readonly self: WaSelf;
  readonly chat: InboundMessage['address']['chat'];
  /** Who wrote it. */
  readonly person: string;
  readonly place?: InboundMessage['place'];
  /** Somebody by a JID. */
  personOf(jid: string | null | undefined): string | undefined;
  nameOf(person: string): string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Undefined: there is nothing in it to tell. `edited`: it takes the place of an earlier one. */
export function normalise(
  message: WaMessage,
  where: ProcessScanner,
  edited?: { readonly id: string; readonly version: number },
): InboundMessage | undefined {
  const found = unwrap(message.message);
  const id = edited?.id ?? message.key.id;
  if (!found || !id) return undefined;
  const { content } = found;
  const attachments = attachmentsOf(content);
  const [location, contacts] = [locationOf(content), contactsOf(content)];
  const context = contextOf(content);
  const said = wordsOf(content);
  const shown = [namesFor(said, context, where), ...wordsFor(content)].filter((part) => part !== '').join('\n');
  if (shown === '' && attachments.length === 0 && !location && !contacts) return undefined;
  const forwarded = Boolean(context?.isForwarded) || (context?.forwardingScore ?? 0) > 0;
  const at = numberOf(message.messageTimestamp);
  return {
    id,
    key: dedupeKey(where.chat, id),
    address: { channel: where.channel, accountId: where.accountId, chat: where.chat },
    sender: present({ id: where.person, name: message.pushName?.trim().slice(0, 100) || where.nameOf(where.person) }),
    text: found.viewOnce ? ['[view once]', shown].filter(Boolean).join(' ') : shown,
    said: forwarded ? NOTHING_SAID : typed(withoutSelf(said, context, where)),
    attachments,
    ...addressing(said, context, where),
    ...present({
      editVersion: edited?.version,
      quoted: quotedOf(context, where),
      forwarded: forwarded ? { from: 'somebody else' } : undefined,
      location,
      contacts,
      place: where.place,
    }),
    receivedAt: at === undefined ? where.now : at * 1000,
  };
}

/** Ids are unique where they were made; the same message may come under the number and under the LID of a person. */
export const dedupeKey = (chat: InboundMessage['address']['chat'], id: string): string =>
  `${chat.kind === 'direct' ? 'direct' : chat.id} ${id}`;

function addressing(
  said: string,
  context: WaContext | undefined,
  where: ProcessScanner,
): Pick<InboundMessage, 'addressesBot' | 'mentionsOthers'> {
  const mentioned = (context?.mentionedJid ?? []).map((jid) => where.personOf(jid));
  const named = mentioned.some((person) => isSelf(person, where)) || saysNumber(said, where.self.id);
  const answered = context?.stanzaId && isSelf(where.personOf(context.participant), where);
  return {
    addressesBot: where.chat.kind === 'direct' || named || Boolean(answered),
    ...present({ mentionsOthers: !named && mentioned.length > 0 ? (true as const) : undefined }),
  };
}

const isSelf = (person: string | undefined, { self }: ProcessScanner): boolean =>
  person !== undefined && (person === self.id || person === self.lid);

const MAX_SCANNED = 4000;

/** `+49 151 1234567` in the text means its owner, as people write numbers. */
const saysNumber = (said: string, id: string): boolean =>
  said
    .slice(0, MAX_SCANNED)
    .replaceAll(/[\s()+./-]/g, '')
    .includes(digitsOf(id));

function quotedOf(context: WaContext | undefined, where: ProcessScanner): Quoted | undefined {
  if (!context?.stanzaId) return undefined;
  const content: WaContent | undefined = unwrap(context.quotedMessage)?.content;
  const senderId = where.personOf(context.participant);
  return present({
    id: context.stanzaId,
    text: content && (wordsOf(content) || wordsFor(content).join('\n') || undefined),
    senderId,
    sender: senderId === undefined ? undefined : where.nameOf(senderId),
    media: content && mediaKind(content),
  });
}

/** `@49151…` as people see it: by the name. */
function namesFor(said: string, context: WaContext | undefined, where: ProcessScanner): string {
  let text = withoutSelf(said, context, where);
  for (const jid of context?.mentionedJid ?? []) {
    const person = where.personOf(jid);
    const name = person === undefined ? undefined : where.nameOf(person);
    if (name !== undefined) text = text.replaceAll(`@${digitsOf(jid)}`, `@${name}`);
  }
  return text;
}

/** The words without the mention of the account itself. */
function withoutSelf(said: string, context: WaContext | undefined, where: ProcessScanner): string {
  let text = said;
  for (const jid of context?.mentionedJid ?? [])
    if (isSelf(where.personOf(jid), where)) text = text.replaceAll(`@${digitsOf(jid)}`, '');
  return text === said ? said : text.trim();
}
