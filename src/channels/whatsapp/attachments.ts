/** Converts files, locations and contacts of a WhatsApp message to facts. Pure. */
import { present, type Attachment, type InboundMessage, type Quoted } from '../../sdk/index.ts';
import { mediaOf, numberOf, pollOf, type WaContent, type WaMedia, type WaMediaType } from './content.ts';

/** What it takes to fetch a file, also after a restart. */
interface MediaReference {
  readonly t: WaMediaType;
  readonly k: string;
  readonly p: string;
  readonly h?: string;
  readonly l?: number;
}

const STANDARD: Readonly<Record<WaMediaType, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg',
  document: 'application/octet-stream',
  sticker: 'image/webp',
};
const MAX_NAME = 200;

/** The kind is that of the message; what the file really is, its bytes say later. */
export function attachmentsOf(content: WaContent): readonly Attachment[] {
  const found = mediaOf(content);
  if (!found) return [];
  const { type, media } = found;
  const mime = mimeOf(media.mimetype, STANDARD[type]);
  return [
    present({
      kind: kindOf(type, mime),
      mime,
      name: (media.fileName ?? media.title ?? '').slice(0, MAX_NAME) || undefined,
      size: numberOf(media.fileLength),
      recorded: type === 'audio' && media.ptt ? (true as const) : undefined,
      ref: referenceOf(type, media),
    }),
  ];
}

function kindOf(type: WaMediaType, mime: string): Attachment['kind'] {
  if (type === 'sticker') return 'image';
  if (type !== 'document') return type;
  const [top] = mime.split('/');
  return top === 'image' || top === 'audio' || top === 'video' ? top : 'document';
}

function mimeOf(input: string | null | undefined, otherwise: string): string {
  const bare = input?.split(';')[0]!.trim().toLowerCase() ?? '';
  return /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(bare) ? bare : otherwise;
}

function referenceOf(type: WaMediaType, media: WaMedia): string | undefined {
  const { mediaKey, directPath, fileSha256, fileLength } = media;
  if (!mediaKey || !directPath) return undefined;
  const reference: MediaReference = {
    t: type,
    k: Buffer.from(mediaKey).toString('base64url'),
    p: directPath,
    ...present({
      h: fileSha256?.length ? Buffer.from(fileSha256).toString('base64url') : undefined,
      l: numberOf(fileLength),
    }),
  };
  return JSON.stringify(reference);
}

/** Undefined for what is none of ours. */
export function readReference(ref: string): { readonly type: WaMediaType; readonly media: WaMedia } | undefined {
  try {
    const { t, k, p, h, l } = (JSON.parse(ref) ?? {}) as Partial<MediaReference>;
    if (!t || !Object.hasOwn(STANDARD, t) || typeof k !== 'string' || typeof p !== 'string') return undefined;
    return {
      type: t,
      media: {
        mediaKey: Buffer.from(k, 'base64url'),
        directPath: p,
        ...present({ fileLength: l, fileSha256: h === undefined ? undefined : Buffer.from(h, 'base64url') }),
      },
    };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What a quoted message carried. */
export function mediaKind(content: WaContent): Quoted['media'] {
  if (content.stickerMessage) return 'sticker';
  return attachmentsOf(content)[0]?.kind;
}

/** Words for what has none. */
export function wordsFor(content: WaContent): readonly string[] {
  const poll = pollOf(content);
  return [
    ...(content.stickerMessage ? ['<media:sticker>'] : []),
    ...(poll
      ? [
          [`poll: ${poll.name ?? ''}`, ...(poll.options ?? []).map(({ optionName }) => `- ${optionName ?? ''}`)].join(
            '\n',
          ),
        ]
      : []),
    ...(content.groupInviteMessage ? [`invitation to the group ${content.groupInviteMessage.groupName ?? ''}`] : []),
  ];
}

export function locationOf(content: WaContent): InboundMessage['location'] {
  const place = content.locationMessage ?? content.liveLocationMessage;
  const [latitude, longitude] = [place?.degreesLatitude, place?.degreesLongitude];
  if (!place || typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return present({
    latitude,
    longitude,
    accuracyMeters: place.accuracyInMeters ?? undefined,
    name: place.name ?? undefined,
    address: place.address ?? undefined,
    live: content.liveLocationMessage ? (true as const) : undefined,
  });
}

const MAX_CARDS = 50;
const MAX_VCARD = 20_000;

export function contactsOf(content: WaContent): InboundMessage['contacts'] {
  const cards = content.contactMessage ? [content.contactMessage] : (content.contactsArrayMessage?.contacts ?? []);
  if (cards.length === 0) return undefined;
  return cards.slice(0, MAX_CARDS).map(({ displayName, vcard }) => ({
    name: displayName ?? '',
    phones: phonesIn((vcard ?? '').slice(0, MAX_VCARD)),
  }));
}

/** `item1.TEL;type=CELL;waid=491511234567:+49 151 1234567` */
const phonesIn = (vcard: string): string[] =>
  vcard.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).split(';')[0]!.toUpperCase();
    return colon > 0 && (name === 'TEL' || name.endsWith('.TEL')) ? [line.slice(colon + 1).trim()] : [];
  });
