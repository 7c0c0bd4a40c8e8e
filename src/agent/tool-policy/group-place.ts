/** Which group a turn belongs to: by where it answers, else by the name of its session, else by the session that started it. Pure. */
import type { ChatAddress, PlaceNames } from '../../core/message.ts';
import { parseSessionKey } from '../../core/session-key.ts';

/** What is absent is not known. */
export interface GroupPlace extends PlaceTold {
  readonly channel: string;
  readonly id: string;
  readonly accountId?: string;
  readonly threadId?: string;
}

/** What the message of a turn tells of its place beside the address. */
export interface PlaceTold { readonly spaceId?: string; readonly names?: PlaceNames }

export interface Whereabouts {
  readonly address: ChatAddress;
  readonly sessionKey: string;
  readonly spawnedBy?: string | undefined;
  readonly told?: PlaceTold | undefined;
}

/** Undefined in conversations with one person. */
export function groupPlace({ address, sessionKey, spawnedBy, told }: Whereabouts): GroupPlace | undefined {
  const { channel, accountId, chat, threadId } = address;
  if (chat.kind !== 'direct') return { channel, id: chat.id, accountId, ...(threadId === undefined ? {} : { threadId }), ...told };
  return groupOfKey(sessionKey) ?? (spawnedBy === undefined ? undefined : groupOfKey(spawnedBy));
}

/** `agent:<id>:<channel>:(group|channel):<group>`, and its thread or topic. */
function groupOfKey(key: string): GroupPlace | undefined {
  const match = /^([^:]+):(?:group|channel):(.+?)(?::(?:thread|topic):(.*))?$/.exec(parseSessionKey(key)?.rest ?? '');
  return match ? { channel: match[1]!, id: match[2]!, ...(match[3] ? { threadId: match[3] } : {}) } : undefined;
}
