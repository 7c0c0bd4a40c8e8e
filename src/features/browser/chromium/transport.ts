/** The DevTools connection to a browser over a WebSocket of our own: no proxy of the environment stands in between. */
import { AppError } from '../../../core/errors.ts';
import { withoutUser } from './endpoint.ts';

/** What playwright-core drives a browser through. */
export interface Transport {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
}

/** A screenshot or a trace is one message. */
const MAX_MESSAGE = 256 * 1024 * 1024;

/**
 * Rejects with `AppError('network')` where nobody answers in time. `closed` is called once, when the connection ends.
 */
export async function openTransport(
  webSocketUrl: string,
  { timeoutMs, closed }: { readonly timeoutMs: number; closed(): void },
): Promise<Transport> {
  const { WebSocket } = await import('ws');
  const { url, headers } = withoutUser(new URL(webSocketUrl));
  const socket = new WebSocket(url, {
    headers,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE,
    handshakeTimeout: timeoutMs,
    followRedirects: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve(void socket.off('error', reject))).once('error', reject);
  }).catch((error: unknown) => {
    throw new AppError('network', `The browser at ${new URL(url).host} takes no connection.`, { cause: error });
  });
  const waiting: object[] = [];
  const transport: Transport = {
    send: (message) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  };
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    transport.onclose?.();
    closed();
  });
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as object;
    if (transport.onmessage) transport.onmessage(message);
    else waiting.push(message);
  });
  return transport;
}
