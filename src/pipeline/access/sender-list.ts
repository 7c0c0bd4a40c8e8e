/** Matches a sender against an allowlist, by stable platform ids only. Pure. */
import type { ChannelPlugin } from '../../core/channel.ts';

/** What is asked of a channel to read its lists. */
export type ReadsEntries = Pick<ChannelPlugin, 'id' | 'aliases' | 'senderEntry'>;

/** `named`: by an entry of their own. `everybody`: by `*` alone, which lets write and nothing more. */
export type Listing = 'named' | 'everybody' | 'absent';

export function listing(entries: readonly string[], senderId: string, channel: ReadsEntries): Listing {
  const id = folded(senderId);
  const known = entries.map((entry) => senderOf(entry, channel));
  // Who has no id is nobody: an empty entry must not find them.
  if (id !== '' && known.some((entry) => entry !== undefined && entry !== '*' && folded(entry) === id)) return 'named';
  return known.includes('*') ? 'everybody' : 'absent';
}

/** An entry as `sender.id` spells it, `*` for everybody; undefined when it can never be anybody, e.g. a name. */
export function senderOf(entry: string, { id, aliases = [], senderEntry }: ReadsEntries): string | undefined {
  const text = entry.trim();
  if (text === '' || text === '*') return text || undefined;
  if (senderEntry) return senderEntry(text);
  const prefix = [id, ...aliases].find((name) => folded(text).startsWith(`${name}:`));
  return (prefix === undefined ? text : text.slice(prefix.length + 1).trim()) || undefined;
}

const folded = (text: string): string => text.trim().toLowerCase();
