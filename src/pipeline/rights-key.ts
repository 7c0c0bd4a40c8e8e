/** Which messages may share a turn: where configuration treats senders differently, only those of one sender. Pure. */
import { listedPlaces } from '../config/place-tools.ts';
import type { InboundRow } from '../journal/rows.ts';

interface Told {
  /** People of a channel may differ in how far their commands go. */
  tellsApart(channel: string): boolean;
  readonly channels: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

export function rightsKey(
  { message, route }: Pick<InboundRow, 'message' | 'route'>,
  { tellsApart, channels }: Told,
): string {
  const { channel } = message.address;
  const differs =
    tellsApart(channel) ||
    [channel, 'defaults']
      .flatMap((key) => listedPlaces(channels[key]))
      .some(({ limits }) => limits.toolsBySender !== undefined);
  return differs && route.replyTo.chat.kind !== 'direct' ? message.sender.id : '';
}
