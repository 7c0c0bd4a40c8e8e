/** Who is connected now: asked for once a connection, then kept by the differences the gateway tells. */
import { withPresenceChange, type PresenceChangedEvent } from '../../../src/protocol/presence.ts';
import { isDisconnected } from './requests.ts';
import type { EventFrame, PresenceEntry } from './wire.ts';

export interface PresenceSource {
  request<T>(method: string): Promise<T>;
  /** Calls back now when connected, and at each connection. */
  whenConnected(action: () => void): () => void;
  on(listener: (event: EventFrame) => void): () => void;
}

/** Milliseconds between two questions when more changed than was told. */
const ASK_AGAIN_MS = 5000;

/** Calls `show` with the list whenever it is another; returns the function that ends it. */
export function followPresence({ request, whenConnected, on }: PresenceSource, show: (entries: readonly PresenceEntry[]) => void): () => void {
  let list: readonly PresenceEntry[] = [];
  let again: ReturnType<typeof setTimeout> | undefined;

  const become = (entries: readonly PresenceEntry[]): void => show((list = entries));

  async function ask(): Promise<void> {
    again = undefined;
    try {
      become(await request<readonly PresenceEntry[]>('system-presence'));
    } catch (cause) {
      if (!isDisconnected(cause)) console.info('Nobody told who is connected.', cause);
    }
  }

  function hear({ event, payload }: EventFrame): void {
    if (event === 'presence') return become((payload as { readonly presence: readonly PresenceEntry[] }).presence); // a gateway that tells no differences
    if (event !== 'presence.changed') return;
    const news = payload as PresenceChangedEvent;
    if (news.stale) again ??= setTimeout(() => void ask(), ASK_AGAIN_MS);
    else become(withPresenceChange(list, news));
  }

  const leave = [whenConnected(() => void ask()), on(hear)];
  return () => {
    clearTimeout(again);
    for (const end of leave) end();
  };
}
