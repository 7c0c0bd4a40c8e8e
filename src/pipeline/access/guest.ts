/** Identifies people whose direct messages must not change where the main conversation sends its messages. Pure. */
import type { InboundMessage } from '../../core/message.ts';
import type { PlaceRules } from '../../core/place-rules.ts';
import { listing, senderOf, type ReadsEntries } from './sender-list.ts';

/** There is one configured owner, and this is somebody else, admitted by "*" or by pairing. */
export function isGuest(
  { address, sender }: Pick<InboundMessage, 'address' | 'sender'>,
  { direct }: Pick<PlaceRules, 'direct'>,
  channel: ReadsEntries,
): boolean {
  if (address.chat.kind !== 'direct') return false;
  const owners = new Set(
    direct.allowFrom.value
      .map((entry) => senderOf(entry, channel))
      .filter((entry) => entry !== undefined && entry !== '*'),
  );
  return owners.size === 1 && listing(direct.allowFrom.value, sender.id, channel) !== 'named';
}
