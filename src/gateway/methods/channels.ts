/** Serves `channels.status` and `send`: the messaging channels as they stand, and a message without a turn. */
import { channelsStatusParams, sendParams } from '../../protocol/system.ts';
import type { ChannelStatus } from '../channel-services.ts';
import { channelHealth } from '../ws/health.ts';
import { method, refuse, sessionKeyOf, type Methods } from './method.ts';

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

  send: method({
    summary: 'Sends a text to a chat without a turn.',
    needs: 'operator.write',
    params: sendParams,
    async run({ to, message, channel, accountId, sessionKey, idempotencyKey, mediaUrl, mediaUrls, buffer }, call) {
      if (mediaUrl || mediaUrls?.length || buffer) throw refuse('send carries text only; media needs the message tool');
      const text = message?.trim();
      if (!text) throw refuse('send needs a message');
      const { messageId, channel: used } = await call.services.channels.send({
        to, text, runId: idempotencyKey,
        ...(channel ? { channel } : {}), ...(accountId ? { accountId } : {}), ...(sessionKey ? { sessionKey: sessionKeyOf(call, sessionKey) } : {}),
      });
      return { runId: idempotencyKey, messageId, channel: used };
    },
  }),
};
