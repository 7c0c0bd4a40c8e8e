/** Keeps channel names unique: the first plugin with a name keeps it. Pure. */
import type { ChannelPlugin } from '../core/channel.ts';
import { toolName } from '../core/tool-pattern.ts';
import type { Plugin } from './contract.ts';

export interface Clash {
  readonly plugin: string;
  readonly code: 'conflict';
  readonly problem: string;
}

/** Names that mean something in `channels` or as a target already. */
const TAKEN: ReadonlyMap<string, string> = new Map([
  ['defaults', 'the settings of all channels'],
  ['last', 'the last used channel'],
]);

/** A channel whose id is taken is left out; one whose alias is taken loses the alias. */
export function distinct(channels: readonly ChannelPlugin[]): {
  readonly kept: readonly ChannelPlugin[];
  readonly clashes: readonly Clash[];
} {
  const owners = new Map(TAKEN);
  const clashes: Clash[] = [];
  const fits = channels.filter(({ id, label }) => {
    const owner = owners.get(id);
    if (owner !== undefined)
      clashes.push({
        plugin: label,
        code: 'conflict',
        problem:
          `The channel id "${id}" is already used by ${owner}. Give the plugin another id, or remove it from ` +
          'plugins.load.paths.',
      });
    else owners.set(id, label);
    return owner === undefined;
  });
  const kept = fits.map((channel) => {
    const taken = (channel.aliases ?? []).filter((alias) => alias !== channel.id && owners.has(alias));
    for (const alias of taken)
      clashes.push({
        plugin: channel.label,
        code: 'conflict',
        problem: `The channel alias "${alias}" of ${channel.id} is already used by ${owners.get(alias)!}.`,
      });
    const aliases = channel.aliases?.filter((alias) => !owners.has(alias)) ?? [];
    for (const alias of aliases) owners.set(alias, channel.label);
    return taken.length === 0 ? channel : { ...channel, aliases };
  });
  return { kept, clashes };
}

/**
 * Of what third parties bring, in the order they are named: what is called like nothing else. `own`: what the product
 * brings along.
 */
export function unclaimed<P extends Plugin & { readonly from: string }>(
  plugins: readonly P[],
  own: Readonly<Record<'tool' | 'provider' | 'feature', readonly string[]>>,
): { readonly kept: readonly P[]; readonly clashes: readonly Clash[] } {
  const owners = new Map<string, string>(
    Object.entries(own).flatMap(([kind, names]) =>
      names.map((name) => [`${kind} ${name}`, 'the product itself'] as const),
    ),
  );
  const clashes: Clash[] = [];
  const kept = plugins.filter(({ kind, value, from }) => {
    const name = 'name' in value ? value.name : value.id;
    // Policies compare tools by this name, so another spelling of it is the same tool to them.
    const key = `${kind} ${kind === 'tool' ? toolName(name) : name}`;
    const owner = name in Object.prototype ? 'the language itself' : kind === 'channel' ? undefined : owners.get(key);
    if (owner === undefined) owners.set(key, `the plugin ${from}`);
    else
      clashes.push({
        plugin: from,
        code: 'conflict',
        problem: `The ${kind} "${name}" of the plugin ${from} is ignored: ${owner} already uses that name.`,
      });
    return owner === undefined;
  });
  return { kept, clashes };
}
