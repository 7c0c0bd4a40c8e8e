/**
 * Which messages may share a turn: where the configuration treats senders differently, only messages of one sender.
 * Pure.
 */
import type { ToolsConfig } from '../agent/config.ts';
import { listedPlaces } from '../config/place-tools.ts';
import type { InboundRow } from '../journal/rows.ts';

interface RightsConfig {
  readonly tools: Pick<ToolsConfig, 'elevated' | 'exec'>;
  readonly channels: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

export function rightsKey(
  { message, route }: Pick<InboundRow, 'message' | 'route'>,
  { tools, channels }: RightsConfig,
): string {
  const { channel } = message.address;
  const differs =
    channel in tools.elevated.allowFrom ||
    [channel, 'defaults']
      .flatMap((key) => listedPlaces(channels[key]))
      .some(({ limits }) => limits.toolsBySender !== undefined);
  return differs && route.replyTo.chat.kind !== 'direct' ? message.sender.id : '';
}
