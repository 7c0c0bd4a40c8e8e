/**
 * Which messages may share a turn: where the configuration treats senders differently, only messages of one sender.
 * Pure.
 */
import { listedPlaces } from '../config/place-tools.ts';
import type { ToolEnvironment } from '../host/tool-environment.ts';
import type { InboundRow } from '../journal/rows.ts';

/** `tellsApart`: people of a channel may differ in how far their commands go. */
export function rightsKey(
  { message, route }: Pick<InboundRow, 'message' | 'route'>,
  { channels }: { readonly channels: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> },
  { tellsApart }: Pick<ToolEnvironment, 'tellsApart'>,
): string {
  const { channel } = message.address;
  const differs =
    tellsApart(channel) ||
    [channel, 'defaults']
      .flatMap((key) => listedPlaces(channels[key]))
      .some(({ limits }) => limits.toolsBySender !== undefined);
  return differs && route.replyTo.chat.kind !== 'direct' ? message.sender.id : '';
}
