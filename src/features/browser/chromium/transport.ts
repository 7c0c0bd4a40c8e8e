/** The DevTools connection over our own WebSocket, which ignores proxy settings of the environment. */
import type { WebSocket } from 'ws';
import { AppError } from '../../../core/errors.ts';
import { raceSignal } from '../../../platform/timeout.ts';
import { withoutUser } from './endpoint.ts';

/** The transport interface that playwright-core uses to drive a browser. */
export interface Transport {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
}

/** An open connection, and a promise for its end. */
export interface OpenTransport {
  readonly transport: Transport;
  readonly closed: Promise<void>;
}

/** A screenshot or a trace is one message. */
const MAX_MESSAGE = 256 * 1024 * 1024;
/** Timeout for the closing handshake, in milliseconds. */
const CLOSE_MS = 1000;

/** Rejects with `AppError('network')` if the connection is refused, and with the reason of the signal. */
export async function openTransport(webSocketUrl: string, signal: AbortSignal): Promise<OpenTransport> {
  const { WebSocket } = await import('ws');
  const { url, headers } = withoutUser(new URL(webSocketUrl));
  signal.throwIfAborted();
  const socket = new WebSocket(url, {
    headers,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE,
    // The driver subscribes to later messages only after it has handled an answer: two messages in one tick would lose
    // the second.
    allowSynchronousEvents: false,
    followRedirects: false,
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  try {
    await raceSignal(opened(socket), signal);
  } catch (error) {
    socket.on('error', () => undefined).terminate();
    if (signal.aborted) throw error;
    throw new AppError('network', `The browser at ${new URL(url).host} takes no connection.`, { cause: error });
  }
  socket.on('error', () => socket.terminate());
  return { transport: transportOver(socket, closed), closed };
}

const opened = (socket: WebSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('open', () => resolve(void socket.off('error', reject))).once('error', reject);
  });

function transportOver(socket: WebSocket, closed: Promise<void>): Transport {
  const transport: Transport = {
    send: (message) => socket.send(JSON.stringify(message)),
    close() {
      socket.close();
      setTimeout(() => socket.terminate(), CLOSE_MS).unref();
    },
  };
  socket.on('message', (data: Buffer) => transport.onmessage?.(JSON.parse(data.toString('utf8')) as object));
  void closed.then(() => transport.onclose?.());
  return transport;
}
