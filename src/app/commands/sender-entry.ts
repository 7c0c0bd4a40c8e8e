/** What `/allowlist add` may write down: an id the channel knows as one. */
import type { ChannelPlugin } from '../../core/channel.ts';
import { senderOf } from '../../pipeline/access/sender-list.ts';

/** Undefined for names, handles and channels that are not in use. */
export function senderEntry(plugin: ChannelPlugin | undefined, entry: string): string | undefined {
  const id = plugin && !/^@|\s/.test(entry.trim()) ? senderOf(entry, plugin) : undefined;
  return id === '*' ? undefined : id;
}
