/** Serves `channels.status`: the messaging channels as they stand. */
import { channelsStatusParams } from '../../protocol/system.ts';
import type { ChannelStatus } from '../channel-services.ts';
import { channelHealth } from '../ws/health.ts';
import { method, type Methods } from './method.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const MIN_TIMEOUT_MS = 1000;

export const channelMethods: Methods = {
  'channels.status': method({
    summary: 'Every channel and account as it stands.',
    needs: 'operator.read',
    params: channelsStatusParams,
    async run({ probe = false, timeoutMs = DEFAULT_TIMEOUT_MS, channel }, { services, clock }) {
      const all = await services.channels.status({ probe, timeoutMs: Math.max(MIN_TIMEOUT_MS, timeoutMs) });
      const shown = channel === undefined ? all : all.filter((one) => one.id === channel);
      const byId = <T>(of: (one: ChannelStatus) => T): Record<string, T> => Object.fromEntries(shown.map((one) => [one.id, of(one)]));
      return {
        ts: clock.now(),
        channelOrder: shown.map((one) => one.id),
        channelLabels: byId((one) => one.label),
        channelMeta: shown.map(({ id, label }) => ({ id, label, detailLabel: label })),
        channels: byId((one) => {
          const { configured, ok, summary } = channelHealth(one);
          return { configured, ok, summary, running: one.accounts.some((account) => account.running) };
        }),
        channelAccounts: byId((one) => one.accounts),
        channelDefaultAccountId: byId((one) => one.accounts.find((account) => account.enabled && account.configured)?.accountId ?? one.accounts[0]?.accountId ?? 'default'),
      };
    },
  }),
};
