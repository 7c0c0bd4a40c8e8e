/** Converts reactions, votes and deletions to quiet messages for the agent's next turn. Pure. */
import { NOTHING_SAID } from '../../sdk/said.ts';
import { present, type InboundMessage } from '../../sdk/index.ts';
import type { ProcessScanner } from './inbound.ts';

interface Happened {
  /** What it is about. */
  readonly id: string;
  readonly key: string;
  readonly text: string;
  readonly at: number;
}

export function quietMessage({ id, key, text, at }: Happened, where: ProcessScanner): InboundMessage {
  const name = where.nameOf(where.person);
  return {
    id,
    key,
    address: { channel: where.channel, accountId: where.accountId, chat: where.chat },
    sender: present({ id: where.person, name }),
    quiet: true,
    text: `${name ?? where.person} ${text}`,
    said: NOTHING_SAID,
    attachments: [],
    addressesBot: false,
    ...present({ place: where.place }),
    receivedAt: at,
  };
}
