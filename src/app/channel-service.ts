/** The gateway's `channels` service: how the channels stand, and what is sent and done there without a turn. */
import { AppError } from '../core/errors.ts';
import type { ReplyPayload } from '../core/reply.ts';
import type { ChannelService } from '../gateway/channel-services.ts';
import type { Journal } from '../journal/journal.ts';
import type { OutboxSender } from '../pipeline/delivery/outbox-sender.ts';
import type { Clock } from '../platform/clock.ts';
import type { ChannelHub } from './channel-hub.ts';

/** A caller hears after this long that its message still waits. */
const SEND_PATIENCE_MS = 30_000;

export interface ChannelServiceDeps {
  readonly channels: ChannelHub;
  readonly journal: Journal;
  readonly sender: OutboxSender;
  readonly clock: Clock;
  mainSessionKey(): string;
}

export function createChannelService({ channels, journal, sender, clock, mainSessionKey }: ChannelServiceDeps): ChannelService {
  const later = async (): Promise<never> => {
    throw new AppError('unsupported', 'Not built yet.');
  };
  return {
    registry: later, act: later, restart: later, logout: later,
    status: (options) => channels.status(options),
    async send({ channel, accountId, to, text, runId, sessionKey = mainSessionKey() }) {
      const address = channels.resolve({ channel, accountId, to });
      const payload: ReplyPayload = { kind: 'final', ...(text === undefined ? {} : { text }) };
      const [known] = journal.outbox.ofRun(runId);
      const id = known?.id ?? (await journal.outbox.post([{ token: `${runId}:send`, runId, sessionKey, address, payload }], []))[0]!;
      const outcome = await Promise.race([sender.send(id), clock.sleep(SEND_PATIENCE_MS).then(() => 'waiting' as const)]);
      if (outcome === 'waiting') throw new AppError('timeout', `${address.channel} has not taken the message yet. It stays in the outbox and is tried again.`);
      if (outcome?.status === 'failed') throw new AppError('unavailable', `${address.channel} did not take the message: ${outcome.error}`);
      const messageIds = outcome?.messageIds ?? [];
      return { messageId: messageIds[0] ?? String(id), channel: address.channel, address, messageIds };
    },
  };
}
