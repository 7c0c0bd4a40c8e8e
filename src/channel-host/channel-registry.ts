/**
 * The registry of channels: which exist, which are configured, and the connections of their accounts. It is created
 * empty; the hub adds the accounts, all others only read.
 */
import type { ChannelCapabilities, ChannelConnection, ChannelPlugin } from '../core/channel.ts';
import type { ChatAddress } from '../core/message.ts';
import { memoize } from '../core/memoize.ts';
import { accountsOf, type AccountPlan, type Channels, type ChannelSources } from '../plugins/channel-accounts.ts';

export interface ChannelRegistryDeps {
  /** All there are, configured or not, in display order. */
  readonly plugins: readonly ChannelPlugin[];
  config(): Channels;
  /** An environment variable. */
  variable?(name: string): string | undefined;
}

/** A supervised account. */
export interface LiveAccount {
  /** Undefined while it is down. */
  readonly connection: ChannelConnection | undefined;
  /** Something is about to be sent. */
  outbound(): void;
}

/** Settings that make no sense name nothing: such an account does not run. */
const secretPathsOf = (
  plugins: readonly ChannelPlugin[],
  plansOf: (plugin: ChannelPlugin) => readonly AccountPlan[],
): readonly string[] =>
  plugins
    .filter(({ secretPaths }) => secretPaths)
    .flatMap(plansOf)
    .flatMap(({ plugin, raw }) => {
      const { data } = plugin.config.safeParse(raw);
      return data === undefined ? [] : (plugin.secretPaths?.(data) ?? []);
    });

export type ChannelRegistry = ReturnType<typeof createChannelRegistry>;

type Account = Pick<ChatAddress, 'channel' | 'accountId'>;

export function createChannelRegistry({ plugins, config, variable = () => undefined }: ChannelRegistryDeps) {
  const live = new Map<string, LiveAccount>();
  const keyOf = ({ channel, accountId }: Account): string => `${channel}\n${accountId}`;
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const sources = (): ChannelSources => ({ channels: config(), variable });
  // A turn asks ten times; a configuration is frozen once loaded, and the environment is that of the process.
  const plansBy = memoize((channels: Channels) =>
    memoize((plugin: ChannelPlugin) => accountsOf(plugin, { channels, variable })),
  );
  const plansOf = (plugin: ChannelPlugin): readonly AccountPlan[] => plansBy(config())(plugin);
  const secretsIn = memoize((_channels: Channels) => secretPathsOf(plugins, plansOf));
  const enabledOf = (plugin: ChannelPlugin): readonly AccountPlan[] => plansOf(plugin).filter(({ enabled }) => enabled);
  const inUse = (plugin: ChannelPlugin): boolean => enabledOf(plugin).length > 0;
  const deliverable = (): readonly ChannelPlugin[] =>
    plugins.filter((plugin) => plugin.capabilities.deliverable && inUse(plugin));

  /** Of a channel that is in use. */
  function capabilities(channel: string): ChannelCapabilities | undefined {
    const plugin = byId.get(channel);
    return plugin && inUse(plugin) ? plugin.capabilities : undefined;
  }

  return {
    plugins,
    /** What decides which accounts there are: the configuration and the environment. */
    sources,
    /** Accounts of a channel, in use or not. */
    plansOf,
    capabilities,
    /** In use or not. */
    plugin: (channel: string): ChannelPlugin | undefined => byId.get(channel),
    /** Those in use, and the surfaces inside the product. */
    active: (): readonly ChannelPlugin[] =>
      plugins.filter((plugin) => !plugin.capabilities.deliverable || inUse(plugin)),
    /** Ids of configured channels that can receive messages without an open page of the Control UI. */
    ids: (): readonly string[] => deliverable().map(({ id }) => id),
    isDeliverable: (channel: string): boolean => capabilities(channel)?.deliverable ?? false,
    /** The id behind a name or an alias of a channel that can be written to. */
    idOf: (name: string): string | undefined =>
      deliverable().find(({ id, aliases = [] }) => id === name || aliases.includes(name))?.id,
    /** Accounts of a channel that are in use, in order. */
    accountIds(channel: string): readonly string[] {
      const plugin = byId.get(channel);
      return plugin ? enabledOf(plugin).map(({ accountId }) => accountId) : [];
    },

    /** Where accounts keep secrets outside the state directory, absolute. */
    secretPaths: (): readonly string[] => secretsIn(config()),

    /** The live connection of an account; undefined while it is down. */
    connection(address: Account) {
      const account = live.get(keyOf(address));
      const plugin = byId.get(address.channel);
      if (!account?.connection || !plugin) return undefined;
      account.outbound();
      return { connection: account.connection, capabilities: plugin.capabilities };
    },
    add: (account: Account, one: LiveAccount): void => void live.set(keyOf(account), one),
    remove: (account: Account): void => void live.delete(keyOf(account)),
  };
}
