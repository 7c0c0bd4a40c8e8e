/** Follows something of the gateway by its events: no question is asked while nothing happens. */
import type { Call } from './command.ts';
import type { GatewayLink } from './gateway-link.ts';

interface Followed {
  readonly link: GatewayLink;
  readonly io: Pick<Call['io'], 'onInterrupt'>;
  /** `<topic>.subscribe` and `<topic>.unsubscribe` begin and end its events. */
  readonly topic: string;
  isNews(event: string, payload: unknown): boolean;
}

/** `read` is called at once and after news; false: it is at its end. Resolves then, and when it is interrupted. */
export async function followNews({ link, io, topic, isNews }: Followed, read: () => Promise<boolean>): Promise<void> {
  let news = Promise.withResolvers<boolean>();
  // A lost connection is news: the next question says what is wrong.
  const unsubscribe = link.onEvent(
    (event, payload) => (event === 'disconnected' || isNews(event, payload)) && news.resolve(true),
  );
  const interrupted = Promise.withResolvers<boolean>();
  const stopListening = io.onInterrupt(() => interrupted.resolve(false));
  try {
    await link.request(`${topic}.subscribe`);
    do news = Promise.withResolvers();
    while ((await read()) && (await Promise.race([news.promise, interrupted.promise])));
  } finally {
    stopListening();
    unsubscribe();
  }
}
