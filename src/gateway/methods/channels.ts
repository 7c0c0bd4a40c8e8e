/** Serves `channels.*`: channels and their status, reconnecting and disconnecting. */
import { present } from '../../core/present.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import type { ChannelsStatusResult } from '../../protocol/answers/channels.ts';
import type { Answers } from '../../protocol/answers.ts';
import { channelAccountParams, channelsListParams, channelsStatusParams } from '../../protocol/system.ts';
import type { AccountName, ChannelStatus } from '../../host/channel-services.ts';
import { channelHealth } from '../ws/health.ts';
import { method, type Call, type Methods } from './method.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const MIN_TIMEOUT_MS = 1000;

export const channelMethods: Methods = {
  'channels.status': method({
    summary: 'Returns the status of every channel and account.',
    needs: 'operator.read',
    params: channelsStatusParams,
    async run(
      { probe = false, timeoutMs = DEFAULT_TIMEOUT_MS, channel },
      { services, clock },
    ): Promise<ChannelsStatusResult> {
      const all = await services.channels.status({ probe, timeoutMs: Math.max(MIN_TIMEOUT_MS, timeoutMs) });
      const shown = channel === undefined ? all : all.filter((one) => one.id === channel);
      const byId = <T>(of: (one: ChannelStatus) => T): Record<string, T> =>
        Object.fromEntries(shown.map((one) => [one.id, of(one)]));
      return {
        ts: clock.now(),
        channelOrder: shown.map((one) => one.id),
        channelLabels: byId((one) => one.label),
        channelMeta: shown.map(({ id, label }) => ({ id, label, detailLabel: label })),
        channels: byId((one) => {
          const { configured, ok, summary } = channelHealth(one, clock.now());
          return { configured, ok, summary, running: one.accounts.some((account) => account.running) };
        }),
        channelAccounts: byId((one) => one.accounts),
        channelDefaultAccountId: byId(defaultAccountOf),
      };
    },
  }),

  'channels.capabilities': method({
    summary: 'Lists every channel, configured or not, with its required secrets and supported actions.',
    needs: 'operator.read',
    params: channelsListParams,
    run: async (_params, { services }) => ({ channels: await services.channels.registry() }),
  }),

  'channels.start': method({
    summary: 'Reconnects an account with the current configuration; responds after the first attempt.',
    needs: 'operator.admin',
    params: channelAccountParams,
    run: begin,
  }),

  'channels.restart': method({
    summary: 'Same as `channels.start`: an existing connection is closed first.',
    needs: 'operator.admin',
    params: channelAccountParams,
    run: begin,
  }),

  'channels.stop': method({
    summary: 'Disconnects an account until it, or the gateway, is started again.',
    needs: 'operator.admin',
    params: channelAccountParams,
    async run(name, { services }) {
      await services.channels.stop(name);
      return { ...named(name), running: false };
    },
  }),

  'channels.logout': method({
    summary:
      'Stops an account and removes its secrets from the configuration; secrets in the environment or in files ' +
      'are listed and kept.',
    needs: 'operator.admin',
    params: channelAccountParams,
    run: async (name, { services }) => ({ ...named(name), ...(await services.channels.logout(name)) }),
  }),
};

const named = ({ channel, accountId }: AccountName): { channel: string; accountId?: string } =>
  present({ channel, accountId });

async function begin(name: AccountName, { services }: Call): Promise<Answers['channels.start']> {
  await services.channels.restart(name);
  const status = await services.channels.status({ probe: false, timeoutMs: MIN_TIMEOUT_MS });
  const channel = status.find(({ id }) => id === name.channel);
  const account = channel?.accounts.find(
    ({ accountId }) => accountId === (name.accountId ?? defaultAccountOf(channel)),
  );
  return {
    ...named(name),
    running: account?.running ?? false,
    connected: account?.connected ?? false,
    ...present({ lastError: account?.lastError }),
  };
}

const defaultAccountOf = ({ accounts }: ChannelStatus): string =>
  accounts.find((account) => account.enabled && account.configured)?.accountId ??
  accounts[0]?.accountId ??
  DEFAULT_ACCOUNT_ID;
