/** Converts an imsg message to ours. All of it is untrusted. Pure. */
import type { RawFile, RawMessage } from './backend.ts';
import { emojiOf, guidOf } from './tapbacks.ts';

type Json = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const whole = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined);

/** Undefined: it is none, or it belongs to no chat. */
export function readImsgMessage(value: unknown): RawMessage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const raw = value as Json;
  const [guid, rowId, at] = [text(raw['guid']), whole(raw['id']), Date.parse(String(raw['created_at']))];
  const chatGuid = text(raw['chat_guid']) ?? '';
  if (guid === undefined || rowId === undefined || !raw['chat_id'] || Number.isNaN(at)) return undefined;
  return {
    cursor: whole(raw['cursor']) ?? rowId,
    guid,
    chat: {
      id: whole(raw['chat_id']),
      guid: chatGuid,
      name: text(raw['chat_name']),
      group: raw['is_group'] === true,
    },
    sender: text(raw['sender']) ?? '',
    senderName: text(raw['sender_name']),
    fromMe: raw['is_from_me'] === true,
    text: text(raw['text']) ?? '',
    at,
    editedAt: undefined,
    files: Array.isArray(raw['attachments']) ? raw['attachments'].flatMap(fileOf) : [],
    replyTo: text(raw['reply_to_guid']) ?? text(raw['thread_originator_guid']),
    forwarded: false,
    reaction: reactionOf(raw),
  };
}

function fileOf(value: unknown): RawFile[] {
  const raw = (value ?? {}) as Json;
  const ref = text(raw['path']) ?? text(raw['original_path']);
  if (ref === undefined || raw['missing'] === true) return [];
  return [
    {
      ref,
      name: text(raw['transfer_name']) ?? text(raw['filename']),
      mime: text(raw['mime_type']),
      size: whole(raw['byte_size']) ?? whole(raw['total_bytes']),
      recorded: false, // a name is no proof that it was spoken into this message
    },
  ];
}

function reactionOf(raw: Json): RawMessage['reaction'] {
  const target = text(raw['reacted_to_guid']);
  if (raw['is_reaction'] !== true || target === undefined) return undefined;
  const emoji = text(raw['reaction_emoji']) ?? emojiOf(text(raw['reaction_type']) ?? 'like');
  return { emoji, target: guidOf(target), removed: raw['is_reaction_add'] === false };
}
