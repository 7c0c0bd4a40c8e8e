/** Converts a Discord message to message facts; undefined for our own messages, system notices and garbage. */
import type { APIAttachment, APIMessage, APIMessageSnapshotFields } from '@discordjs/core';
import { present } from '../../sdk/index.ts';
import type { Attachment, InboundMessage, Quoted } from '../../sdk/index.ts';
import { NOTHING_SAID, typed } from '../../sdk/said.ts';
import { addressOf, defined, namesOf, text, timeOf, type ProcessScanner } from './place.ts';
import { list, nameOf, withoutMentions, wordsOf, type Names } from './words.ts';

/** Who we are there: the user, and the roles that stand for the bot alone. */
export interface Self {
  readonly id: string;
  readonly name?: string;
  readonly roles: readonly string[];
}

export interface Circumstances extends ProcessScanner {
  readonly accountId: string;
  readonly self: Self;
  readonly names: Names;
  readonly allowBots: boolean;
  /** What the thread began with. */
  readonly starter?: InboundMessage['threadStarter'] | undefined;
  /** The answer gets a thread of its own: always, or only where the bot was addressed. */
  readonly autoThread?: 'always' | 'addressed' | undefined;
}

/** Gateway events carry more than the API's messages do. */
export type RawMessage = APIMessage & {
  readonly guild_id?: string;
  readonly member?: { readonly nick?: string | null; readonly roles?: readonly string[] };
};

/** Default, reply, and what applications say of a command. */
const SAID: readonly number[] = [0, 19, 20, 23];
const FORWARD = 1;
const VOICE_FLAG = 1 << 13;

export function normalise(message: RawMessage, where: Circumstances): InboundMessage | undefined {
  const { self, place } = where;
  const author = message?.author;
  if (text(message?.id) === undefined || text(author?.id) === undefined || !SAID.includes(message.type ?? 0))
    return undefined;
  const isBot = author.bot === true || text(message.webhook_id) !== undefined;
  if (author.id === self.id || (isBot && !where.allowBots)) return undefined;
  const content = text(message.content) ?? '';
  const mention = withoutMentions(content, { users: [self.id], roles: self.roles });
  const forwarded = forwardOf(message);
  const addressesBot =
    place.kind === 'direct' ||
    mention.hit ||
    message.referenced_message?.author?.id === self.id ||
    (place.thread === true && place.ownerId === self.id);
  const edited = Date.parse(message.edited_timestamp ?? '');
  const address = addressOf(place, { accountId: where.accountId, peer: author.id });
  const shown = forwarded
    ? [wordsOf(message, where.names), wordsOf(forwarded.fields, where.names)].filter((part) => part !== '').join('\n')
    : wordsOf(message, where.names);
  return defined<InboundMessage>({
    id: message.id,
    address: threaded(message, { where, address, addressesBot }),
    key: undefined,
    system: undefined,
    quiet: undefined,
    native: undefined,
    location: undefined,
    contacts: undefined,
    editVersion: Number.isNaN(edited) ? undefined : edited,
    sender: senderOf(message, isBot),
    text: shown,
    said: forwarded ? NOTHING_SAID : typed(mention.hit ? mention.rest : content),
    attachments: [...filesOf(message), ...(forwarded ? filesOf(forwarded.fields) : [])],
    quoted: quotedOf(message, where.names),
    forwarded: forwarded?.about(where.names),
    addressesBot,
    mentionsOthers: mention.others ? true : undefined,
    spaceId: place.guildId,
    roles: Array.isArray(message.member?.roles) ? message.member.roles : undefined,
    place: namesOf(where),
    threadStarter: where.starter,
    receivedAt: timestamp(message),
  });
}

/** Where answers open a thread, its id is that of the message it hangs on: known before it exists. */
function threaded(
  message: RawMessage,
  { where, address, addressesBot }: { where: Circumstances; address: InboundMessage['address']; addressesBot: boolean },
): InboundMessage['address'] {
  const { autoThread, place } = where;
  if (!autoThread || place.thread || place.kind !== 'channel' || (autoThread === 'addressed' && !addressesBot))
    return address;
  return { ...address, threadId: message.id, via: 'thread' };
}

function timestamp(message: RawMessage): number {
  const sentAt = Date.parse(message.timestamp ?? '');
  return Number.isNaN(sentAt) ? (timeOf(message.id) ?? 0) : sentAt;
}

function senderOf({ author, member }: RawMessage, isBot: boolean): InboundMessage['sender'] {
  return defined({
    id: author.id,
    name: nameOf({ ...author, member }),
    handle: text(author.username),
    isBot: isBot ? (true as const) : undefined,
  });
}

function quotedOf(message: RawMessage, names: Names): Quoted | undefined {
  const reference = message.message_reference;
  const id = text(reference?.message_id);
  if (id === undefined || (reference as { type?: number }).type === FORWARD) return undefined;
  const original = message.referenced_message;
  if (!original) return { id };
  const files = filesOf(original);
  return defined<Quoted>({
    id,
    text: text(wordsOf(original, names)),
    sender: nameOf(original.author ?? {}),
    senderId: text(original.author?.id),
    media: files[0]?.kind ?? (list(original.sticker_items).length > 0 ? 'sticker' : undefined),
    partial: undefined,
  });
}

/** The one message a forward carries along. */
function forwardOf(
  message: RawMessage,
): { fields: APIMessageSnapshotFields; about(names: Names): NonNullable<InboundMessage['forwarded']> } | undefined {
  const fields = list(message.message_snapshots)[0]?.message;
  if (!fields) return undefined;
  const at = Date.parse(fields.timestamp ?? '');
  return {
    fields,
    about(names) {
      const channel = names.channel(message.message_reference?.channel_id ?? '');
      return present({
        from: channel === undefined ? 'another chat on Discord' : `#${channel}`,
        at: Number.isNaN(at) ? undefined : at,
      });
    },
  };
}

type Carrying = Partial<Pick<APIMessage, 'attachments' | 'sticker_items' | 'flags'>>;

/** Files, and stickers that are pictures. */
export function filesOf(message: Carrying): readonly Attachment[] {
  const files = list(message.attachments).flatMap((file) => fileOf(file, ((message.flags ?? 0) & VOICE_FLAG) !== 0));
  const stickers = list(message.sticker_items).flatMap(({ id, name, format_type }): Attachment[] => {
    if (format_type === 4)
      return [
        {
          kind: 'image',
          mime: 'image/gif',
          name: `${name}.gif`,
          ref: `https://media.discordapp.net/stickers/${id}.gif`,
        },
      ];
    return format_type === 1 || format_type === 2
      ? [
          {
            kind: 'image',
            mime: 'image/png',
            name: `${name}.png`,
            ref: `https://cdn.discordapp.com/stickers/${id}.png`,
          },
        ]
      : [];
  });
  return [...files, ...stickers];
}

function fileOf(file: APIAttachment, voice: boolean): Attachment[] {
  const ref = text(file.url);
  if (ref === undefined) return [];
  const mime =
    /^[\w.+-]+\/[\w.+-]+/.exec(text(file.content_type) ?? '')?.[0].toLowerCase() ??
    (voice ? 'audio/ogg' : 'application/octet-stream');
  const [type] = mime.split('/', 1);
  const kind = type === 'image' || type === 'audio' || type === 'video' ? type : 'document';
  return [
    defined<Attachment>({
      kind,
      mime,
      ref,
      name: text(file.filename),
      size: typeof file.size === 'number' ? file.size : undefined,
      path: undefined,
      url: undefined,
      recorded: voice || undefined,
    }),
  ];
}
