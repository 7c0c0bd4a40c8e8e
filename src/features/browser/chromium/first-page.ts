/** Speaks to the page a browser begins with, over a connection that the driver does not have yet. */
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import type { Commands } from './commands.ts';
import type { Transport } from './transport.ts';

/** Of an answer or an event, what is read here. */
interface Facts {
  readonly sessionId?: string;
  readonly targetInfo?: { readonly type: string; readonly targetId: string; readonly url: string };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Facts;
  readonly result?: Facts;
  readonly error?: { readonly message: string };
}

type Listener = (params: Facts) => void;

/**
 * Calls `use` with that page. When it is over nothing is attached to the page, and every answer has come: whoever gets
 * the connection next hears none of it. Has no time limit of its own: it waits until the browser has a page.
 */
export async function onFirstPage(transport: Transport, use: (page: Commands) => Promise<void>): Promise<void> {
  const link = createLink(transport);
  try {
    const there = Promise.withResolvers<string>();
    // A page that is restored may have a mind of its own; the one the browser is started with is empty.
    for (const event of ['Target.targetCreated', 'Target.targetInfoChanged'])
      link.on(event, ({ targetInfo }) => {
        if (targetInfo?.type === 'page' && targetInfo.url === 'about:blank') there.resolve(targetInfo.targetId);
      });
    await link.send('Target.setDiscoverTargets', { discover: true });
    const targetId = await there.promise;
    await link.send('Target.setDiscoverTargets', { discover: false });
    const { sessionId } = await link.send('Target.attachToTarget', { targetId, flatten: true });
    const page = {
      send: (method: string, params?: object) => link.send(method, params, sessionId),
      on: link.on,
    };
    await use(page as unknown as Commands);
    await Promise.allSettled([...link.open(), link.send('Target.detachFromTarget', { sessionId })]);
  } finally {
    delete transport.onmessage;
  }
}

interface Link {
  send(method: string, params?: object, sessionId?: string): Promise<Facts>;
  /** One listener an event. */
  on(event: string, listener: Listener): void;
  /** What has no answer yet. */
  open(): readonly Promise<Facts>[];
}

function createLink(transport: Transport): Link {
  const pending = new Map<number, PromiseWithResolvers<Facts>>();
  const listeners = new Map<string, Listener>();
  let count = 0;
  transport.onmessage = (message) => {
    const { id, method = '', params = {}, result = {}, error } = message as Message;
    if (id === undefined) return listeners.get(method)?.(params);
    const answer = pending.get(id);
    pending.delete(id);
    if (error) answer?.reject(new AppError('bad_response', `The browser refused: ${error.message}`));
    else answer?.resolve(result);
  };
  return {
    send(method, params = {}, sessionId) {
      const answer = Promise.withResolvers<Facts>();
      pending.set(++count, answer);
      transport.send({ id: count, method, params, ...present({ sessionId }) });
      return answer.promise;
    },
    on: (event, listener) => void listeners.set(event, listener),
    open: () => [...pending.values()].map(({ promise }) => promise),
  };
}
