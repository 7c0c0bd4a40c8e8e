/** A sample accepted message. */
import type { Authority } from '../core/authority.ts';
import type { Attachment, ChatAddress } from '../core/message.ts';
import { present } from '../core/present.ts';
import { mainSessionKey, type SessionKey } from '../core/session-key.ts';
import type { Accepted } from '../journal/rows.ts';
import { peopleAuthority } from './sample-authority.ts';
import { typed } from '../core/saying.ts';

export interface Sample {
  id?: string;
  editVersion?: number;
  text?: string;
  channel?: string;
  accountId?: string;
  chat?: string;
  sessionKey?: string;
  authority?: Authority;
  commands?: boolean;
  attachments?: readonly Attachment[];
}

export function accepted(over: Sample = {}): Accepted {
  const address: ChatAddress = {
    channel: over.channel ?? 'pipe',
    accountId: over.accountId ?? 'default',
    chat: { kind: 'direct', id: over.chat ?? 'c1' },
  };
  const sessionKey = (over.sessionKey as SessionKey | undefined) ?? mainSessionKey('main');
  return {
    message: {
      id: over.id ?? 'm1',
      text: over.text ?? 'hi',
      said: typed(over.text ?? 'hi'),
      address,
      sender: { id: 'u1' },
      attachments: over.attachments ?? [],
      addressesBot: true,
      receivedAt: 5,
      ...present({ editVersion: over.editVersion }),
    },
    route: { agentId: 'main', sessionKey, matchedBy: 'default', replyTo: address },
    options: {},
    authority: over.authority ?? peopleAuthority({ home: { agentId: 'main', sessionKey, address } }),
    commands: over.commands ?? true,
  };
}
