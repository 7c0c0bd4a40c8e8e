/** Which group a turn belongs to: by where it answers, else by the name of its session, else by the session that started it. Pure. */
import type { ChatAddress } from '../../core/message.ts';
import { parseSessionKey } from '../../core/session-key.ts';

export interface GroupPlace { readonly channel: string; readonly id: string }

export interface Whereabouts {
  readonly address: ChatAddress;
  readonly sessionKey: string;
  readonly spawnedBy?: string | undefined;
}

/** Undefined in conversations with one person. */
export function groupPlace({ address, sessionKey, spawnedBy }: Whereabouts): GroupPlace | undefined {
  if (address.chat.kind !== 'direct') return { channel: address.channel, id: address.chat.id };
  return groupOfKey(sessionKey) ?? (spawnedBy === undefined ? undefined : groupOfKey(spawnedBy));
}

/** `agent:<id>:<channel>:(group|channel):<group>`, without thread or topic. */
function groupOfKey(key: string): GroupPlace | undefined {
  const match = /^([^:]+):(?:group|channel):(.+?)(?::(?:thread|topic):.*)?$/.exec(parseSessionKey(key)?.rest ?? '');
  return match ? { channel: match[1]!, id: match[2]! } : undefined;
}
