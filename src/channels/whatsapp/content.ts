/** Unwraps the content of a WhatsApp message. Pure. */

/** A number of protobuf, which may be a 64-bit one. */
export type Count = number | { toNumber(): number } | null | undefined;

/** The fields of one file, shared by all kinds of media. */
export interface WaMedia {
  readonly mimetype?: string | null;
  readonly fileLength?: Count;
  readonly fileName?: string | null;
  readonly title?: string | null;
  readonly caption?: string | null;
  readonly ptt?: boolean | null;
  readonly isAnimated?: boolean | null;
  readonly gifPlayback?: boolean | null;
  readonly mediaKey?: Uint8Array | null;
  readonly directPath?: string | null;
  readonly url?: string | null;
  readonly fileSha256?: Uint8Array | null;
  readonly contextInfo?: WaContext | null;
}

/** What a message says beside its own words: who is mentioned, what it answers. */
export interface WaContext {
  readonly stanzaId?: string | null;
  readonly participant?: string | null;
  readonly quotedMessage?: WaContent | null;
  readonly mentionedJid?: readonly string[] | null;
  readonly isForwarded?: boolean | null;
  readonly forwardingScore?: number | null;
  /** Seconds after which messages of the chat disappear. */
  readonly expiration?: number | null;
}

export interface WaMessageKey {
  readonly remoteJid?: string | null;
  /** The same chat by its other identity: the number of a LID, or the LID of a number. */
  readonly remoteJidAlt?: string | null;
  readonly fromMe?: boolean | null;
  readonly id?: string | null;
  readonly participant?: string | null;
  readonly participantAlt?: string | null;
}

interface Place {
  readonly degreesLatitude?: number | null;
  readonly degreesLongitude?: number | null;
  readonly accuracyInMeters?: number | null;
  readonly name?: string | null;
  readonly address?: string | null;
  readonly caption?: string | null;
  readonly contextInfo?: WaContext | null;
}

interface Card {
  readonly displayName?: string | null;
  readonly vcard?: string | null;
  readonly contextInfo?: WaContext | null;
}

interface PollContent {
  readonly name?: string | null;
  readonly options?: readonly { readonly optionName?: string | null }[] | null;
  readonly selectableOptionsCount?: number | null;
  readonly contextInfo?: WaContext | null;
}

interface Wrapped {
  readonly message?: WaContent | null;
}

/** The message of the protocol, as far as it is read here. */
export interface WaContent {
  readonly conversation?: string | null;
  readonly extendedTextMessage?: { readonly text?: string | null; readonly contextInfo?: WaContext | null } | null;
  readonly imageMessage?: WaMedia | null;
  readonly videoMessage?: WaMedia | null;
  readonly ptvMessage?: WaMedia | null;
  readonly audioMessage?: WaMedia | null;
  readonly documentMessage?: WaMedia | null;
  readonly stickerMessage?: WaMedia | null;
  readonly locationMessage?: Place | null;
  readonly liveLocationMessage?: Place | null;
  readonly contactMessage?: Card | null;
  readonly contactsArrayMessage?: {
    readonly contacts?: readonly Card[] | null;
    readonly contextInfo?: WaContext | null;
  } | null;
  readonly pollCreationMessage?: PollContent | null;
  readonly pollCreationMessageV2?: PollContent | null;
  readonly pollCreationMessageV3?: PollContent | null;
  readonly reactionMessage?: { readonly key?: WaMessageKey | null; readonly text?: string | null } | null;
  readonly protocolMessage?: {
    readonly type?: number | null;
    readonly key?: WaMessageKey | null;
    readonly editedMessage?: WaContent | null;
    readonly timestampMs?: Count;
    readonly ephemeralExpiration?: number | null;
  } | null;
  readonly buttonsResponseMessage?: { readonly selectedDisplayText?: string | null } | null;
  readonly listResponseMessage?: { readonly title?: string | null } | null;
  readonly templateButtonReplyMessage?: { readonly selectedDisplayText?: string | null } | null;
  readonly groupInviteMessage?: { readonly groupName?: string | null; readonly caption?: string | null } | null;
  readonly ephemeralMessage?: Wrapped | null;
  readonly viewOnceMessage?: Wrapped | null;
  readonly viewOnceMessageV2?: Wrapped | null;
  readonly viewOnceMessageV2Extension?: Wrapped | null;
  readonly documentWithCaptionMessage?: Wrapped | null;
  readonly editedMessage?: Wrapped | null;
  readonly albumMessage?: { readonly expectedImageCount?: Count; readonly expectedVideoCount?: Count } | null;
  /** One of several pictures that belong together; also what the phone sends beside a picture, which is no message. */
  readonly associatedChildMessage?: Wrapped | null;
  readonly messageContextInfo?: {
    readonly messageAssociation?: {
      readonly associationType?: number | null;
      readonly parentMessageKey?: WaMessageKey | null;
    } | null;
  } | null;
}

/** A message as it comes, with where and when. */
export interface WaMessage {
  readonly key: WaMessageKey;
  readonly message?: WaContent | null;
  /** Seconds since the epoch. */
  readonly messageTimestamp?: Count;
  readonly pushName?: string | null;
}

/** Of an association: a piece of an album. */
const MEDIA_ALBUM = 1;

/** The id of the album that a message is a piece of. */
export function albumOf(message: WaContent | null | undefined): string | undefined {
  const inner = message?.associatedChildMessage?.message;
  const found = message?.messageContextInfo?.messageAssociation ?? inner?.messageContextInfo?.messageAssociation;
  return found?.associationType === MEDIA_ALBUM ? (found.parentMessageKey?.id ?? undefined) : undefined;
}

/** How many pieces an album announces. Undefined: it is none. */
export function announcedIn(message: WaContent | null | undefined): number | undefined {
  const album = unwrap(message)?.content.albumMessage;
  return album ? (numberOf(album.expectedImageCount) ?? 0) + (numberOf(album.expectedVideoCount) ?? 0) : undefined;
}

export const REVOKE = 0;
export const EPHEMERAL_SETTING = 3;
export const MESSAGE_EDIT = 14;

const WRAPPERS = [
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'associatedChildMessage',
] as const;
const MAX_WRAPPERS = 5;

/** `viewOnce`: the sender wants it to be seen once. */
export interface Unwrapped {
  readonly content: WaContent;
  readonly viewOnce: boolean;
}

export function unwrap(message: WaContent | null | undefined): Unwrapped | undefined {
  let content = message;
  let viewOnce = false;
  for (let depth = 0; content && depth <= MAX_WRAPPERS; depth++) {
    const wrapper = WRAPPERS.find((name) => content?.[name]?.message);
    if (!wrapper) return { content, viewOnce };
    // Beside its pictures a phone sends better ones and short films of them: the same ones again.
    if (wrapper === 'associatedChildMessage' && albumOf(content) === undefined) return undefined;
    viewOnce ||= wrapper.startsWith('viewOnce');
    content = content[wrapper]!.message;
  }
  return undefined;
}

/** How media is called on WhatsApp, for its keys and its place on their servers. */
export type WaMediaType = 'image' | 'video' | 'audio' | 'document' | 'sticker';

/** The one file of a message. */
export function mediaOf(content: WaContent): { readonly type: WaMediaType; readonly media: WaMedia } | undefined {
  const found = (
    [
      ['image', content.imageMessage],
      ['video', content.videoMessage ?? content.ptvMessage],
      ['audio', content.audioMessage],
      ['document', content.documentMessage],
      ['sticker', content.stickerMessage],
    ] as const
  ).find(([, media]) => media);
  return found && { type: found[0], media: found[1]! };
}

export const pollOf = (content: WaContent): PollContent | undefined =>
  content.pollCreationMessage ?? content.pollCreationMessageV2 ?? content.pollCreationMessageV3 ?? undefined;

/** The words of its sender, captions included. */
export function wordsOf(content: WaContent): string {
  return (
    content.conversation ??
    content.extendedTextMessage?.text ??
    mediaOf(content)?.media.caption ??
    content.locationMessage?.caption ??
    content.liveLocationMessage?.caption ??
    content.buttonsResponseMessage?.selectedDisplayText ??
    content.templateButtonReplyMessage?.selectedDisplayText ??
    content.listResponseMessage?.title ??
    content.groupInviteMessage?.caption ??
    ''
  );
}

export function contextOf(content: WaContent): WaContext | undefined {
  const holders = [
    content.extendedTextMessage,
    mediaOf(content)?.media,
    content.locationMessage,
    content.liveLocationMessage,
    content.contactMessage,
    content.contactsArrayMessage,
    pollOf(content),
  ];
  return holders.find((holder) => holder?.contextInfo)?.contextInfo ?? undefined;
}

/** Undefined where there is none, or it makes no sense. */
export function numberOf(count: Count): number | undefined {
  const value = typeof count === 'object' && count !== null ? count.toNumber() : count;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
