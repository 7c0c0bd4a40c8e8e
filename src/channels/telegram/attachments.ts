/** Extracts attachments, and the objects Telegram sends instead of text, from a message. */
import { present } from '../../sdk/index.ts';
import type { Attachment, InboundMessage, Quoted } from '../../sdk/index.ts';
import type { Message } from 'grammy/types';

/** A bot gets no file beyond this from the Bot API. */
export const DOWNLOAD_MAX_BYTES = 20 * 1024 * 1024;

type Carrier = Pick<
  Message,
  'photo' | 'animation' | 'video' | 'video_note' | 'voice' | 'audio' | 'document' | 'sticker' | 'via_bot'
>;

interface Piece {
  readonly kind: Attachment['kind'];
  readonly mime: string;
  readonly file: { readonly file_id: string; readonly file_size?: number | undefined };
  readonly name?: string | undefined;
  readonly recorded?: true;
}

/** A voice note that an inline bot put there is not the sender's. */
export function attachmentsOf(message: Carrier): readonly Attachment[] {
  const piece = pieceOf(message);
  if (!piece) return [];
  const {
    kind,
    mime,
    name,
    recorded,
    file: { file_id: ref, file_size: size },
  } = piece;
  return [
    present({
      kind,
      mime,
      name: name || undefined,
      recorded: recorded && !message.via_bot ? recorded : undefined,
      size,
      ref: size !== undefined && size > DOWNLOAD_MAX_BYTES ? undefined : ref,
    }),
  ];
}

/** An animation comes with a `document` that is the same file, so it is looked for first. */
function pieceOf({
  photo,
  animation,
  video,
  video_note: round,
  voice,
  audio,
  document,
  sticker,
}: Carrier): Piece | undefined {
  if (photo?.length)
    return {
      kind: 'image',
      mime: 'image/jpeg',
      file: photo.reduce((best, size) => (size.width * size.height > best.width * best.height ? size : best)),
    };
  const moving = animation ?? video;
  if (moving)
    return { kind: 'video', mime: mimeOf(moving.mime_type, 'video/mp4'), file: moving, name: moving.file_name };
  if (round) return { kind: 'video', mime: 'video/mp4', file: round };
  if (voice) return { kind: 'audio', mime: mimeOf(voice.mime_type, 'audio/ogg'), file: voice, recorded: true };
  if (audio) return { kind: 'audio', mime: mimeOf(audio.mime_type, 'audio/mpeg'), file: audio, name: audio.file_name };
  if (document)
    return {
      kind: kindOf(mimeOf(document.mime_type)),
      mime: mimeOf(document.mime_type),
      file: document,
      name: document.file_name,
    };
  return sticker && !sticker.is_animated && !sticker.is_video
    ? { kind: 'image', mime: 'image/webp', file: sticker }
    : undefined;
}

function mimeOf(input: string | undefined, otherwise = 'application/octet-stream'): string {
  const bare = input?.split(';')[0]!.trim().toLowerCase() ?? '';
  return /^[\w.+-]+\/[\w.+-]+$/.test(bare) ? bare : otherwise;
}

function kindOf(mime: string): Attachment['kind'] {
  const [top] = mime.split('/');
  return top === 'image' || top === 'audio' || top === 'video' ? top : 'document';
}

/** What a quoted message carried. */
export function mediaKind(message: Carrier): Quoted['media'] {
  return message.sticker ? 'sticker' : pieceOf(message)?.kind;
}

/** A line for a file that is too large to be had, so that the agent can say so. */
export const remarkOn = (attachments: readonly Attachment[]): string[] =>
  attachments
    .filter(({ ref }) => ref === undefined)
    .map(
      ({ kind, name, size = 0 }) =>
        `[${name ?? `A file (${kind})`} was not fetched: it has ${Math.ceil(size / 1024 / 1024)} MB, but ` +
        'bots can fetch at most 20 MB from Telegram.]',
    );

/** Words for what has none: a sticker, a die, a poll. */
export function wordsFor({ sticker, dice, poll }: Message): string[] {
  return [
    ...(sticker ? [`<media:sticker>${sticker.emoji ? ` (${sticker.emoji})` : ''}`] : []),
    ...(dice ? [`dice ${dice.emoji}: ${dice.value}`] : []),
    ...(poll ? [[`poll: ${poll.question}`, ...(poll.options ?? []).map(({ text }) => `- ${text}`)].join('\n')] : []),
  ];
}

/** A venue is a place with a name; its message has a bare location too. */
export function locationOf({ location, venue }: Message): InboundMessage['location'] {
  const point = venue?.location ?? location;
  if (!point || !Number.isFinite(point.latitude) || !Number.isFinite(point.longitude)) return undefined;
  return present({
    latitude: point.latitude,
    longitude: point.longitude,
    accuracyMeters: point.horizontal_accuracy,
    name: venue?.title,
    address: venue?.address,
    live: point.live_period !== undefined ? (true as const) : undefined,
  });
}

export const contactsOf = ({ contact }: Message): InboundMessage['contacts'] =>
  contact && [
    { name: [contact.first_name, contact.last_name].filter(Boolean).join(' '), phones: [contact.phone_number] },
  ];
