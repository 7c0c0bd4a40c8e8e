/** Normalises allowlist entries the way the named channel does. */
import type { ChannelPlugin } from '../../core/channel.ts';
import { senderOf, type ReadsEntries } from '../access/sender-list.ts';

/** A list whose channel nobody has is read as it stands. */
export const entryReader =
  (plugins: readonly ReadsEntries[]) =>
  (channel: string, entry: string): string | undefined => {
    const plugin = plugins.find(({ id }) => id === channel);
    return plugin ? senderOf(entry, plugin) : entry;
  };

/**
 * What `/allowlist add` may write down: an id the channel knows as one. Undefined for names, handles and channels that
 * are not in use.
 */
export function senderEntry(plugin: ChannelPlugin | undefined, entry: string): string | undefined {
  const id = plugin && !/^@|\s/.test(entry.trim()) ? senderOf(entry, plugin) : undefined;
  return id === '*' ? undefined : id;
}
