/** Converts a Signal event to message facts; undefined if nobody wrote anything. */
import { present, setNewest, type Attachment, type InboundMessage } from '../../sdk/index.ts';
import { NOTHING_SAID, typed } from '../../sdk/said.ts';
import type { SignalConfig } from './config.ts';
import type { DataMessage, Envelope, Mention, Quote, RawAttachment, Reaction } from './envelope.ts';
import { bareId, messageId } from './ids.ts';
import type { People } from './people.ts';

export interface ProcessScanner {
  readonly accountId: string;
  readonly config: Pick<SignalConfig, 'reactionNotifications'>;
  readonly people: People;
  /** Which message an edited one was at first, by the time of each of its versions. */
  readonly edits: Map<number, number>;
}

const MAX_EDITS = 2000;
/** Stands in the text where somebody is mentioned. */
const MENTION_MARK = '\ufffc';

export function normalise(envelope: Envelope, where: ProcessScanner): InboundMessage | undefined {
  const edit = envelope.editMessage;
  const data = edit?.dataMessage ?? envelope.dataMessage;
  const names = { number: envelope.sourceNumber, uuid: envelope.sourceUuid };
  const sender = where.people.idOf(names);
  if (!data || sender === undefined || where.people.isSelf(names)) return undefined;
  const at = data.timestamp ?? envelope.timestamp;
  if (typeof at !== 'number' || !Number.isSafeInteger(at)) return undefined;
  const facts: Facts = { envelope, data, sender, at, where };
  if (data.reaction) return fromReaction(data.reaction, facts);
  return fromWords(facts, edit?.targetSentTimestamp);
}

interface Facts {
  readonly envelope: Envelope;
  readonly data: DataMessage;
  readonly sender: string;
  readonly at: number;
  readonly where: ProcessScanner;
}

function fromWords(facts: Facts, edited: number | undefined): InboundMessage | undefined {
  const { data, sender, at, where } = facts;
  const { people } = where;
  const own = (data.mentions ?? []).some((mention) => people.isSelf(mention));
  const written = withMentions(data.message ?? '', data.mentions ?? [], people);
  const attachments = (data.attachments ?? []).flatMap((raw) => attachmentOf(raw, facts));
  const contacts = (data.contacts ?? []).map(contactOf);
  const sticker = data.sticker && attachments.length === 0 ? '[sticker]' : '';
  const text = [written, sticker].filter(Boolean).join('\n');
  if (text === '' && attachments.length === 0 && contacts.length === 0) return undefined;
  const first = edited === undefined ? at : originalOf(where.edits, edited, at);
  const toUs = data.quote !== undefined && people.isSelf(authorOf(data.quote));
  return {
    ...common(facts),
    id: messageId({ timestamp: first, author: sender }),
    ...present({ editVersion: edited === undefined ? undefined : at }),
    text,
    said: typed(written),
    attachments,
    addressesBot: data.groupInfo === undefined || own || toUs,
    ...present({
      mentionsOthers: !own && (data.mentions?.length ?? 0) > 0 ? true : undefined,
      quoted: data.quote && quotedOf(data.quote, people),
      contacts: contacts.length > 0 ? contacts : undefined,
    }),
  };
}

function common({ envelope, data, sender, at, where }: Facts) {
  const group = data.groupInfo;
  return {
    address: {
      channel: 'signal',
      accountId: where.accountId,
      chat: group?.groupId ? { kind: 'group' as const, id: group.groupId } : { kind: 'direct' as const, id: sender },
    },
    sender: { id: sender, ...present({ name: envelope.sourceName || undefined }) },
    ...present({ place: group?.groupName ? { chat: group.groupName } : undefined }),
    receivedAt: at,
  };
}

/** Edits name the message or its last version. */
function originalOf(edits: Map<number, number>, target: number, at: number): number {
  const first = edits.get(target) ?? target;
  setNewest(edits, at, first, MAX_EDITS);
  return first;
}

/** The bot's own mention goes, others become names. */
function withMentions(text: string, mentions: readonly Mention[], people: People): string {
  const sorted = mentions
    .filter(({ start, length }) => Number.isInteger(start) && Number.isInteger(length))
    .toSorted((a, b) => b.start! - a.start!);
  let read = text;
  for (const mention of sorted) {
    const { start = 0, length = 1 } = mention;
    const name = people.isSelf(mention) ? '' : `@${mention.name || mention.number || mention.uuid || 'somebody'}`;
    read = read.slice(0, start) + name + read.slice(start + length);
  }
  return read.replaceAll(MENTION_MARK, '').trim();
}

function attachmentOf(raw: RawAttachment, { data, sender }: Facts): Attachment[] {
  const { id, contentType, filename, size } = raw;
  if (!id) return [];
  const mime = /^[\w.+-]+\/[\w.+-]+/.exec(contentType ?? '')?.[0] ?? 'application/octet-stream';
  const kind = /^(image|audio|video)\//.exec(mime)?.[1] as 'image' | 'audio' | 'video' | undefined;
  const where = data.groupInfo?.groupId ? `group ${data.groupInfo.groupId}` : `recipient ${bareId(sender)}`;
  const recorded = raw.voiceNote === true || raw.isVoiceNote === true;
  return [
    {
      kind: kind ?? 'document',
      mime,
      ref: `${id} ${where}`,
      ...present({
        name: filename || undefined,
        size: size ?? undefined,
        recorded: recorded && kind === 'audio' ? (true as const) : undefined,
      }),
    },
  ];
}

function contactOf({ name, phone = [] }: NonNullable<DataMessage['contacts']>[number]) {
  const shown = name?.display || [name?.given, name?.family].filter(Boolean).join(' ');
  return { name: shown || 'a contact', phones: phone.flatMap(({ value }) => (value ? [value] : [])) };
}

const authorOf = ({ authorNumber, authorUuid }: Quote) => ({ number: authorNumber, uuid: authorUuid });

function quotedOf(quote: Quote, people: People): InboundMessage['quoted'] {
  if (typeof quote.id !== 'number') return undefined;
  const author = people.isSelf(authorOf(quote)) ? undefined : people.idOf(authorOf(quote));
  const mime = quote.attachments?.[0]?.contentType ?? '';
  const media = /^(image|audio|video)\//.exec(mime)?.[1] as 'image' | 'audio' | 'video' | undefined;
  return {
    id: messageId(present({ timestamp: quote.id, author })),
    ...present({
      text: quote.text || undefined,
      senderId: author,
      sender: author,
      media: media ?? (mime ? 'document' : undefined),
    }),
  };
}

function fromReaction(reaction: Reaction, facts: Facts): InboundMessage | undefined {
  const { people, config } = facts.where;
  const target = { number: reaction.targetAuthorNumber, uuid: reaction.targetAuthorUuid };
  const own = people.isSelf(target);
  const { emoji, targetSentTimestamp: timestamp } = reaction;
  if (reaction.isRemove || !emoji || typeof timestamp !== 'number') return undefined;
  if (config.reactionNotifications === 'off' || (config.reactionNotifications === 'own' && !own)) return undefined;
  const author = own ? undefined : people.idOf(target);
  const id = messageId(present({ timestamp, author }));
  const base = common(facts);
  return {
    ...base,
    id,
    key: `reaction:${id}:${facts.sender}:${emoji}:${facts.at}`,
    quiet: true,
    text: `${base.sender.name ?? facts.sender} reacted with ${emoji} to ${own ? 'your' : 'a'} message ${id}.`,
    said: NOTHING_SAID,
    attachments: [],
    addressesBot: own,
  };
}
