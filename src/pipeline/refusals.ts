/** Limits refusal replies: people only, and once a minute per person in groups, so two bots cannot loop. */
import { setNewest } from '../core/bounded-map.ts';
import type { InboundRow } from '../journal/rows.ts';

const ONCE_IN_MS = 60_000;
/** Senders remembered at the same time; the one notified longest ago is dropped first. */
const MAX = 1000;

export function createRefusals() {
  /** When each sender was notified last, oldest first. */
  const answered = new Map<string, number>();
  return {
    notifies({ message: { sender, address }, acceptedAt }: Pick<InboundRow, 'message' | 'acceptedAt'>): boolean {
      if (sender.isBot) return false;
      if (address.chat.kind === 'direct') return true;
      const who = JSON.stringify([address.channel, address.accountId, address.chat.id, sender.id]);
      const last = answered.get(who);
      if (last !== undefined && acceptedAt - last < ONCE_IN_MS) return false;
      setNewest(answered, who, acceptedAt, MAX);
      return true;
    },
  };
}
