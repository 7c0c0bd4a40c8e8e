/** Converts a row of Messages to message facts; undefined if nobody wrote to us. Pure. */
import { present, type Attachment, type InboundMessage, type ChatAddress } from '../../sdk/index.ts';
import { NOTHING_SAID, typed } from '../../sdk/said.ts';
import type { RawFile, RawMessage } from './backend.ts';
import type { ImessageConfig } from './config.ts';
import { handleOf } from './handles.ts';

export interface ProcessScanner {
  readonly accountId: string;
  readonly config: Pick<ImessageConfig, 'groups' | 'reactionNotifications' | 'includeAttachments'>;
  /** A message of ours, by its guid. */
  isOurs(guid: string): boolean;
  /** What a message said, as far as it is known. */
  textOf(guid: string): { readonly text: string; readonly senderId?: string } | undefined;
}

/** Stands in the text where a file is. */
const FILE_MARK = /\ufffc/g;

export function normalise(raw: RawMessage, where: ProcessScanner): InboundMessage | undefined {
  if (raw.fromMe) return undefined;
  const sender = handleOf(raw.sender) ?? raw.sender.toLowerCase();
  if (sender === '') return undefined;
  const { reaction } = raw;
  const base = {
    address: { channel: 'imessage', accountId: where.accountId, chat: chatOf(raw, sender, where.config) },
    sender: { id: sender, ...present({ name: raw.senderName }) },
    ...present({ place: raw.chat.group && raw.chat.name ? { chat: raw.chat.name } : undefined }),
    receivedAt: raw.at,
  };
  if (reaction) return fromReaction(raw, reaction, { base, where });
  const text = raw.text.replace(FILE_MARK, '').trim();
  const attachments = where.config.includeAttachments ? raw.files.map(attachmentOf) : [];
  if (text === '' && attachments.length === 0) return undefined;
  const said = raw.replyTo === undefined ? undefined : where.textOf(raw.replyTo);
  return {
    ...base,
    id: raw.guid,
    ...present({ editVersion: raw.editedAt }),
    text,
    said: raw.forwarded ? NOTHING_SAID : typed(text),
    attachments,
    addressesBot: base.address.chat.kind === 'direct' || (raw.replyTo !== undefined && where.isOurs(raw.replyTo)),
    ...present({
      quoted:
        raw.replyTo === undefined
          ? undefined
          : { id: raw.replyTo, ...present({ text: said?.text, senderId: said?.senderId, sender: said?.senderId }) },
      forwarded: raw.forwarded ? { from: 'somebody' } : undefined,
    }),
  };
}

/** A thread that the settings list as a group is one, also where Messages does not say so. */
export function chatOf(
  { chat }: Pick<RawMessage, 'chat'>,
  sender: string,
  { groups = {} }: Pick<ImessageConfig, 'groups'>,
): ChatAddress['chat'] {
  const id = chat.id === undefined ? chat.guid : String(chat.id);
  const listed = Object.keys(groups).some((key) => key.replace(/^chat[_-]?(?:id|guid):/i, '') === id);
  return chat.group || listed ? { kind: 'group', id } : { kind: 'direct', id: sender };
}

function attachmentOf({ ref, name, mime, size, recorded }: RawFile): Attachment {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(mime ?? '')?.[0] ?? 'application/octet-stream';
  const kind = /^(image|audio|video)\//.exec(type)?.[1] as 'image' | 'audio' | 'video' | undefined;
  return {
    kind: kind ?? 'document',
    mime: type,
    ref,
    ...present({ name, size, recorded: recorded && kind === 'audio' ? (true as const) : undefined }),
  };
}

interface Reacting {
  readonly base: Pick<InboundMessage, 'address' | 'sender' | 'receivedAt'>;
  readonly where: ProcessScanner;
}

function fromReaction(
  { guid }: RawMessage,
  { emoji, target, removed }: NonNullable<RawMessage['reaction']>,
  { base, where }: Reacting,
): InboundMessage | undefined {
  const own = where.isOurs(target);
  const wanted = where.config.reactionNotifications;
  if (removed || wanted === 'off' || (wanted === 'own' && !own)) return undefined;
  return {
    ...base,
    id: target,
    key: `reaction:${guid}`,
    quiet: true,
    text: `${base.sender.name ?? base.sender.id} reacted with ${emoji} to ${own ? 'your' : 'a'} message ${target}.`,
    said: NOTHING_SAID,
    attachments: [],
    addressesBot: own,
  };
}
