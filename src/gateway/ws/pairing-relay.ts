/** Sends pairing requests and decisions to the clients that may decide them. */
import type { PairResolvedEvent, WirePairing } from '../../protocol/answers/access.ts';
import type { PairingRequestView, PairingService } from '../../host/channel-services.ts';
import type { Hub } from './hub.ts';

/** Returns how to stop. */
export const relayPairing = (
  pairing: PairingService,
  { hub, now }: { readonly hub: Hub; now(): number },
): (() => void) =>
  pairing.subscribe((news) => {
    if ('requested' in news) hub.publish('channel.pair.requested', wirePairing(news.requested));
    else
      hub.publish('channel.pair.resolved', {
        ...wirePairing(news.resolved),
        decision: news.decision,
        ts: now(),
      } satisfies PairResolvedEvent);
  });

export const wirePairing = ({ createdAt, lastSeenAt, expiresAt, ...request }: PairingRequestView): WirePairing => ({
  ...request,
  createdAtMs: createdAt,
  lastSeenAtMs: lastSeenAt,
  expiresAtMs: expiresAt,
});
