/**
 * Decides which messages may share a turn: one sender's only, if the configuration treats senders differently. Pure.
 */
import { listedPlaces } from '../config/place-tools.ts';
import type { ToolEnvironment } from '../host/tool-environment.ts';
import type { InboundRow } from '../journal/rows.ts';

/** `distinguishesSenders`: people of a channel may differ in how far their commands go. */
export function rightsKey(
  { message, route }: Pick<InboundRow, 'message' | 'route'>,
  { channels }: { readonly channels: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> },
  { distinguishesSenders }: Pick<ToolEnvironment, 'distinguishesSenders'>,
): string {
  const { channel } = message.address;
  const differs =
    distinguishesSenders(channel) ||
    [channel, 'defaults']
      .flatMap((key) => listedPlaces(channels[key]))
      .some(({ limits }) => limits.toolsBySender !== undefined);
  return differs && route.replyTo.chat.kind !== 'direct' ? message.sender.id : '';
}
