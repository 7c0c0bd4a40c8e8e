/** Converts an activity to message facts; undefined if nobody wrote to us. Pure. */
import { present, setNewest, type Attachment, type ChatAddress, type InboundMessage } from '../../sdk/index.ts';
import { NOTHING_SAID, typed } from '../../sdk/said.ts';
import type { Activity, RawAttachment } from './activity.ts';
import { pressIn } from './cards.ts';
import { splitConversation } from './ids.ts';
import { wordsOf } from './words.ts';

export interface ProcessScanner {
  readonly accountId: string;
  readonly reactions: 'off' | 'own';
  /** Messages of ours, by id. */
  isOurs(id: string): boolean;
}

const KINDS: Readonly<Record<string, ChatAddress['chat']['kind']>> = {
  personal: 'direct',
  groupChat: 'group',
  channel: 'channel',
};
const DOWNLOAD = 'application/vnd.microsoft.teams.file.download.info';
const REACTIONS: Readonly<Record<string, string>> = {
  like: '👍',
  heart: '❤️',
  laugh: '😆',
  surprised: '😮',
  sad: '😢',
  angry: '😡',
};
const MAX_OWN = 2000;

export const noteOwn = (own: Map<string, true>, id: string): void => void setNewest(own, id, true, MAX_OWN);

/** Who it is: the id of the directory, which stays, or the one Teams gave. */
export const personOf = ({ from }: Activity): string | undefined => from?.aadObjectId?.toLowerCase() ?? from?.id;

export function addressOf(activity: Activity, accountId: string): ChatAddress | undefined {
  const kind = KINDS[activity.conversation?.conversationType ?? 'personal'];
  const person = personOf(activity);
  const id = activity.conversation?.id;
  if (kind === undefined || person === undefined || id === undefined) return undefined;
  const { chat, thread } = splitConversation(id);
  return present({
    channel: 'msteams',
    accountId,
    chat: { kind, id: kind === 'direct' ? person : chat },
    threadId: kind === 'channel' ? thread : undefined,
  });
}

export function normalise(activity: Activity, where: ProcessScanner): InboundMessage | undefined {
  const address = addressOf(activity, where.accountId);
  const person = personOf(activity);
  if (!address || person === undefined || !activity.id || activity.from?.id === activity.recipient?.id)
    return undefined;
  const base = {
    address,
    sender: senderOf(activity, person),
    ...placeOf(activity),
    receivedAt: timeOf(activity.timestamp),
  };
  if (activity.type === 'messageReaction') return fromReaction(activity, base, where);
  if (activity.type !== 'message' && activity.type !== 'messageUpdate') return undefined;
  const press = pressIn(activity.value);
  if (press !== undefined) return fromPress(activity, base, press);
  const words = wordsOf(activity, activity.recipient?.id);
  const attachments = (activity.attachments ?? []).flatMap(attachmentOf);
  if (words.text === '' && attachments.length === 0) return undefined;
  const replied = words.quoted?.id ?? (address.chat.kind === 'channel' ? undefined : activity.replyToId);
  return {
    ...base,
    id: activity.id,
    key: `${address.chat.id}:${activity.id}`,
    ...present({ editVersion: activity.type === 'messageUpdate' ? Math.max(1, base.receivedAt) : undefined }),
    text: words.text,
    said: typed(words.text),
    attachments,
    addressesBot: address.chat.kind === 'direct' || words.mentioned || (replied !== undefined && where.isOurs(replied)),
    ...present({
      mentionsOthers: !words.mentioned && words.others ? true : undefined,
      quoted:
        replied === undefined
          ? undefined
          : { id: replied, ...present({ text: words.quoted?.text, sender: words.quoted?.sender }) },
    }),
  };
}

type Base = Pick<InboundMessage, 'address' | 'sender' | 'place' | 'spaceId' | 'receivedAt'>;

const senderOf = ({ from }: Activity, id: string): InboundMessage['sender'] => ({
  id,
  ...present({ name: from?.name || undefined, isBot: from?.role === 'bot' ? (true as const) : undefined }),
});

function placeOf({ channelData, conversation }: Activity): Pick<InboundMessage, 'place' | 'spaceId'> {
  const chat = channelData?.channel?.name ?? conversation?.name;
  const space = channelData?.team?.name;
  const names = present({ chat: chat || undefined, space: space || undefined });
  return present({ place: chat || space ? names : undefined, spaceId: channelData?.team?.id });
}

function timeOf(timestamp: string | undefined): number {
  const at = Date.parse(timestamp ?? '');
  return Number.isNaN(at) ? Date.now() : at;
}

function attachmentOf({ contentType = '', contentUrl, content, name }: RawAttachment): Attachment[] {
  if (contentType === DOWNLOAD) {
    const { downloadUrl, fileType } = (content ?? {}) as {
      readonly downloadUrl?: unknown;
      readonly fileType?: unknown;
    };
    return typeof downloadUrl === 'string'
      ? [file(downloadUrl, mimeOf(String(fileType ?? name?.split('.').at(-1))), name)]
      : [];
  }
  const media = /^(?:image|audio|video)\/[\w.+*-]+$/.test(contentType);
  return media && contentUrl ? [file(contentUrl, contentType.replace('*', 'png'), name)] : [];
}

function file(ref: string, mime: string, name: string | undefined): Attachment {
  const kind = /^(image|audio|video)\//.exec(mime)?.[1] as 'image' | 'audio' | 'video' | undefined;
  return { kind: kind ?? 'document', mime, ref, ...present({ name: name || undefined }) };
}

const MIMES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
};
const mimeOf = (end: string): string => MIMES[end.toLowerCase()] ?? 'application/octet-stream';

function fromPress(activity: Activity, base: Base, data: string): InboundMessage {
  return {
    ...base,
    id: activity.id!,
    key: `press:${base.address.chat.id}:${activity.id}`,
    text: `callback_data: ${data}`,
    pressed: data,
    said: NOTHING_SAID,
    attachments: [],
    addressesBot: true,
  };
}

function fromReaction(activity: Activity, base: Base, where: ProcessScanner): InboundMessage | undefined {
  const [added] = activity.reactionsAdded ?? [];
  const target = activity.replyToId;
  if (where.reactions === 'off' || !added?.type || target === undefined || !where.isOurs(target)) return undefined;
  const emoji = REACTIONS[added.type] ?? added.type;
  return {
    ...base,
    id: target,
    key: `reaction:${activity.id}`,
    quiet: true,
    text: `${base.sender.name ?? base.sender.id} reacted with ${emoji} to your message ${target}.`,
    said: NOTHING_SAID,
    attachments: [],
    addressesBot: true,
  };
}
