/** Downloads files that only their channel can fetch, and waits for the channel to connect after a restart. */
import type { ChannelCapabilities, ChannelConnection } from '../core/channel.ts';
import { AppError } from '../core/errors.ts';
import type { ChatAddress } from '../core/message.ts';
import type { Downloaded } from '../pipeline/understanding/attachment-source.ts';
import type { Clock } from '../platform/clock.ts';

export interface ChannelDownloadDeps {
  connection(address: ChatAddress): { readonly connection: ChannelConnection } | undefined;
  /** Undefined: the channel is not in use any more. */
  capabilities(channel: string): ChannelCapabilities | undefined;
  readonly clock: Clock;
}

const POLL_MS = 200;

/** Waits for the channel as long as the signal lets it. */
export function createChannelDownload({ connection, capabilities, clock }: ChannelDownloadDeps) {
  return async (
    from: ChatAddress,
    ref: string,
    limits: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<Downloaded> => {
    for (;;) {
      const live = connection(from)?.connection;
      if (live?.download) return live.download(ref, limits);
      if (live || !capabilities(from.channel))
        throw new AppError('unavailable', `${from.channel} cannot fetch files${live ? '' : ': it is not in use'}.`);
      await clock.sleep(POLL_MS, limits.signal);
    }
  };
}
