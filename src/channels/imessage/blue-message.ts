/** Converts a BlueBubbles message to ours. All of it is untrusted. Pure. */
import type { RawFile, RawMessage } from './backend.ts';
import { emojiOf, guidOf } from './tapbacks.ts';

type Json = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const whole = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined);
const record = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/** Of a chat of several people. */
const GROUP_STYLE = 43;
/** A number where the server does not name it. */
const TAPBACKS: Readonly<Record<number, string>> = {
  2000: 'love',
  2001: 'like',
  2002: 'dislike',
  2003: 'laugh',
  2004: 'emphasize',
  2005: 'question',
};

/** Undefined: it is none, or belongs to no chat. */
export function readBlueMessage(value: unknown): RawMessage | undefined {
  const raw = record(value);
  const [guid, rowId, at] = [text(raw['guid']), whole(raw['originalROWID']), whole(raw['dateCreated'])];
  const chat = record(Array.isArray(raw['chats']) ? raw['chats'][0] : undefined);
  const chatGuid = text(chat['guid']);
  if (guid === undefined || rowId === undefined || at === undefined || chatGuid === undefined) return undefined;
  if ((raw['itemType'] ?? 0) !== 0) return undefined; // somebody joined, a group was renamed
  const handle = record(raw['handle']);
  return {
    cursor: rowId,
    guid,
    chat: {
      id: undefined,
      guid: chatGuid,
      name: text(chat['displayName']),
      group: chat['style'] === GROUP_STYLE || chatGuid.includes(';+;'),
    },
    sender: text(handle['address']) ?? '',
    senderName: undefined,
    fromMe: raw['isFromMe'] === true,
    text: text(raw['text']) ?? '',
    at,
    editedAt: whole(raw['dateEdited']),
    files: Array.isArray(raw['attachments']) ? raw['attachments'].flatMap((one) => fileOf(one, raw)) : [],
    replyTo: text(raw['threadOriginatorGuid']),
    forwarded: raw['isForward'] === true,
    reaction: reactionOf(raw),
  };
}

function fileOf(value: unknown, message: Json): RawFile[] {
  const raw = record(value);
  const ref = text(raw['guid']);
  if (ref === undefined || raw['hideAttachment'] === true) return [];
  return [
    {
      ref,
      name: text(raw['transferName']),
      mime: text(raw['mimeType']),
      size: whole(raw['totalBytes']),
      recorded: message['isAudioMessage'] === true,
    },
  ];
}

function reactionOf(raw: Json): RawMessage['reaction'] {
  const [target, type] = [text(raw['associatedMessageGuid']), raw['associatedMessageType']];
  const number = typeof type === 'number' ? type : /^\d+$/.test(String(type)) ? Number(type) : undefined;
  const word = number === undefined ? text(type) : TAPBACKS[(number % 1000) + 2000];
  if (target === undefined || word === undefined || word === 'sticker') return undefined;
  const removed = word.startsWith('-') || (number !== undefined && number >= 3000);
  const emoji = text(raw['associatedMessageEmoji']) ?? emojiOf(word.replace(/^-/, ''));
  return { emoji, target: guidOf(target), removed };
}
