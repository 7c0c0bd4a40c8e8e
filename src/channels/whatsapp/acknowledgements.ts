/** Waits for the server's acknowledgements of messages, because the library does not. */
import { AppError } from '../../sdk/index.ts';
import type { LibrarySocket } from './library.ts';

export interface Acknowledgements {
  /** Before the message leaves: resolves with the error's code, or undefined. */
  expect(id: string): { readonly answer: Promise<string | undefined>; forget(): void };
}

/** `over`: why the connection ended; who waits then does not know what became of the message. */
export function acknowledgements({ ws }: LibrarySocket, over: Promise<AppError>): Acknowledgements {
  const open = new Map<string, PromiseWithResolvers<string | undefined>>();
  ws.on('CB:ack,class:message', ({ attrs }) => open.get(attrs['id'] ?? '')?.resolve(attrs['error']));
  void over.then((why) => {
    for (const waiting of open.values())
      waiting.reject(new AppError('network', 'The connection broke before WhatsApp confirmed.', { cause: why }));
  });
  return {
    expect(id) {
      const waiting = Promise.withResolvers<string | undefined>();
      waiting.promise.catch(() => undefined); // whoever waits hears it too
      open.set(id, waiting);
      return { answer: waiting.promise, forget: () => void open.delete(id) };
    },
  };
}
