/** One name, one channel: who comes first keeps it. Pure. */
import type { ChannelPlugin } from '../core/channel.ts';

export interface Clash { readonly plugin: string; readonly code: 'conflict'; readonly problem: string }

/** Names that mean something in `channels` or as a target already. */
const TAKEN: ReadonlyMap<string, string> = new Map([['defaults', 'the settings of all channels'], ['last', 'the last used channel']]);

/** A channel whose id is taken is left out; one whose alias is taken loses the alias. */
export function distinct(channels: readonly ChannelPlugin[]): { readonly kept: readonly ChannelPlugin[]; readonly clashes: readonly Clash[] } {
  const owners = new Map(TAKEN);
  const clashes: Clash[] = [];
  const fits = channels.filter(({ id, label }) => {
    const owner = owners.get(id);
    if (owner !== undefined) clashes.push({ plugin: label, code: 'conflict', problem: `The channel id "${id}" is taken by ${owner}. Give the plugin another id, or leave it out of plugins.load.paths.` });
    else owners.set(id, label);
    return owner === undefined;
  });
  const kept = fits.map((channel) => {
    const taken = (channel.aliases ?? []).filter((alias) => alias !== channel.id && owners.has(alias));
    for (const alias of taken) clashes.push({ plugin: channel.label, code: 'conflict', problem: `The channel alias "${alias}" of ${channel.id} is taken by ${owners.get(alias)!}.` });
    const aliases = channel.aliases?.filter((alias) => !owners.has(alias)) ?? [];
    for (const alias of aliases) owners.set(alias, channel.label);
    return taken.length === 0 ? channel : { ...channel, aliases };
  });
  return { kept, clashes };
}
