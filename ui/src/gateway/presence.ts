/** Tracks who is connected: requested once per connection, then updated by differences from the gateway. */
import { withPresenceChange } from '../../../src/protocol/presence.ts';
import { isDisconnected } from './requests.ts';
import type { EventFrame, PresenceChangedEvent, PresenceEntry } from './wire.ts';

export interface PresenceSource {
  request(method: 'system-presence'): Promise<readonly PresenceEntry[]>;
  /** Calls back now if connected, and after each connect. */
  whenConnected(action: () => void): () => void;
  on(listener: (event: EventFrame) => void): () => void;
}

/** Minimum interval of complete requests, in milliseconds. */
const ASK_AGAIN_MS = 5000;

/** Calls `show` with each new list; returns the function that unsubscribes. */
export function followPresence(
  { request, whenConnected, on }: PresenceSource,
  show: (entries: readonly PresenceEntry[]) => void,
): () => void {
  let list: readonly PresenceEntry[] = [];
  let again: ReturnType<typeof setTimeout> | undefined;
  /** The version up to which differences were received on this connection. */
  let received: number | undefined;

  const become = (entries: readonly PresenceEntry[]): void => show((list = entries));

  async function ask(): Promise<void> {
    again = undefined;
    try {
      become(await request('system-presence'));
    } catch (cause) {
      if (!isDisconnected(cause)) console.info('The gateway did not report who is connected.', cause);
    }
  }

  function onEvent({ event, payload, stateVersion }: EventFrame): void {
    // a gateway without differences
    if (event === 'presence') return become((payload as { readonly presence: readonly PresenceEntry[] }).presence);
    if (event !== 'presence.changed') return;
    const news = payload as PresenceChangedEvent;
    const missed = received !== undefined && news.since !== undefined && news.since > received;
    received = stateVersion?.presence;
    if (news.stale || missed) again ??= setTimeout(() => void ask(), ASK_AGAIN_MS);
    if (!news.stale) become(withPresenceChange(list, news));
  }

  const leave = [
    whenConnected(() => {
      received = undefined;
      void ask();
    }),
    on(onEvent),
  ];
  return () => {
    clearTimeout(again);
    for (const end of leave) end();
  };
}
