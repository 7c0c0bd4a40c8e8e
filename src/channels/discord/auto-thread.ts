/** Decides whether an answer opens its own thread, from the channel's settings. */
import { present } from '../../sdk/index.ts';
import type { DiscordConfig } from './config.ts';
import type { ProcessScanner } from './place.ts';
import { channelOf, guildOf } from './rules.ts';

/** `addressed`: only where the bot was spoken to, because elsewhere it may answer what nobody asked. */
export function autoThreadIn(
  config: DiscordConfig,
  { place, guildName }: ProcessScanner,
): 'always' | 'addressed' | undefined {
  const facts = {
    chat: { kind: place.kind, id: place.id },
    names: present({ chat: place.name || undefined, space: guildName || undefined }),
    ...present({ spaceId: place.guildId || undefined }),
  };
  const guild = guildOf(config, facts)?.entry;
  const channel = guild && channelOf(guild, facts)?.entry;
  if (!channel?.autoThread) return undefined;
  return (channel.requireMention ?? guild?.requireMention ?? true) ? 'addressed' : 'always';
}
