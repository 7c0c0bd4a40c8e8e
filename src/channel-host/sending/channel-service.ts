/** The gateway's `channels` service: channel status, and sends and actions without a turn. */
import { offeredActions } from '../../core/channel-actions.ts';
import type { ChannelPlugin } from '../../core/channel.ts';
import type { ReachableChannel } from '../../core/reachable-channel.ts';
import { settingsOf } from '../../config/channel-config.ts';
import { present } from '../../core/present.ts';
import type { AccountStatus, ChannelService } from '../../host/channel-services.ts';
import type { OutboxSender } from '../../pipeline/delivery/outbox-sender.ts';
import type { ChannelsConfig } from '../../plugins/config.ts';
import { act, asksPlatform, planAction } from './channel-act.ts';
import type { ChannelHub } from '../accounts/channel-hub.ts';
import { createChannelSend, type ChannelSendDeps } from './channel-send.ts';
import { resolveTarget, type Targets } from './channel-target.ts';

export interface ChannelServiceDeps extends Targets, Omit<ChannelSendDeps, 'resolve'> {
  readonly channels: ChannelHub;
  readonly sender: Pick<OutboxSender, 'send' | 'counts'>;
  config(): ChannelsConfig;
}

export function createChannelService(deps: ChannelServiceDeps): ChannelService {
  const { channels, clock } = deps;
  const resolve: ChannelService['resolve'] = (target) => resolveTarget(target, deps);
  /** An account is one connection, whatever the chat. */
  const connectionOf = ({ channel, accountId }: { readonly channel: string; readonly accountId: string }) =>
    deps.connection({ channel, accountId, chat: { kind: 'direct', id: '' } })?.connection;
  const gates = (channel: string, accountId: string) => settingsOf(deps.config(), channel, accountId).actions;
  return {
    registry: () => channels.registry(),
    async status(options) {
      const counted =
        (channel: string) =>
        (account: AccountStatus): AccountStatus => ({
          ...account,
          sends: deps.sender.counts({ channel, accountId: account.accountId }),
        });
      return (await channels.status(options)).map((one) => ({ ...one, accounts: one.accounts.map(counted(one.id)) }));
    },
    subscribe: (listener) => channels.subscribe(listener),
    restart: (account) => channels.restart(account),
    stop: (account) => channels.stop(account),
    logout: (account) => channels.logout(account),
    login: (request, timeoutMs) => channels.logins.start(request, timeoutMs),
    loginWait: (account, how) => channels.logins.wait(account, how),
    loginCancel: (account) => channels.logins.cancel(account),
    resolve,
    send: createChannelSend({ ...deps, resolve }),
    lookup(request) {
      const { plugin, action, to } = planAction(request, { plugins: deps.plugins, accounts: deps.accounts, gates });
      return present({
        channel: plugin.id,
        readOnly: action.readOnly === true,
        reach: action.reach ?? 'account',
        moderates: action.moderates !== undefined,
        asksPlatform: asksPlatform(action),
        to,
      });
    },
    act: (request) =>
      act(request, {
        plugins: deps.plugins,
        accounts: deps.accounts,
        gates,
        connection: connectionOf,
        now: () => clock.now(),
      }),
  };
}

/**
 * The channels tools can write to; the same object as long as nothing changed. An action is there when one account has
 * it on.
 */
export function createReachable({
  plugins,
  accounts,
  config,
}: Targets & { config(): ChannelsConfig }): () => readonly ReachableChannel[] {
  const made = new WeakMap<
    object,
    { readonly of: readonly ChannelPlugin[]; readonly channels: readonly ReachableChannel[] }
  >();
  return () => {
    const now = config();
    const known = made.get(now);
    const current = plugins().filter(({ capabilities }) => capabilities.deliverable);
    if (known && known.of.length === current.length && known.of.every((plugin, at) => plugin === current[at]))
      return known.channels;
    const channels = current.map((plugin) => reachable(plugin, { accounts, config: now }));
    made.set(now, { of: current, channels });
    return channels;
  };
}

function reachable(
  plugin: ChannelPlugin,
  { accounts, config }: Pick<Targets, 'accounts'> & { readonly config: ChannelsConfig },
): ReachableChannel {
  const gates = accounts(plugin.id).map((account) => settingsOf(config, plugin.id, account).actions);
  const on = (gates.length === 0 ? [{}] : gates).flatMap((own) =>
    offeredActions(plugin, own).filter(({ enabled }) => enabled),
  );
  const actions = on.filter(({ name }, at) => on.findIndex((other) => other.name === name) === at);
  return present({ id: plugin.id, label: plugin.label, targetHint: plugin.targetHint, actions });
}
