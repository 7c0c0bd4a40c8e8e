/** Listens on a separate port for the canvas, so that its origin differs from the gateway's. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../../../core/errors.ts';
import { errnoOf } from '../../../platform/storage-error.ts';

export interface OwnPort extends AsyncDisposable {
  readonly port: number;
}

export interface PortHandlers {
  answer(req: IncomingMessage, res: ServerResponse): void;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

const HEADER_BYTES = 16 * 1024;
/** Milliseconds for the head of a request, and for all of it: nobody sends a body. */
const TIMES = { headersTimeout: 10_000, requestTimeout: 20_000, keepAliveTimeout: 5_000 };
const MAX_CONNECTIONS = 200;

/** Rejects with `AppError('conflict')` for a port that is taken. */
export async function openPort(
  at: { readonly host: string; readonly port: number },
  handlers: PortHandlers,
): Promise<OwnPort> {
  const server = createServer({ ...TIMES, maxHeaderSize: HEADER_BYTES }, (req, res) => handlers.answer(req, res));
  server.maxConnections = MAX_CONNECTIONS;
  server.on('upgrade', (req, socket, head) => {
    socket.on('error', () => socket.destroy());
    handlers.upgrade(req, socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new AppError(
          errnoOf(error) === 'EADDRINUSE' ? 'conflict' : 'unavailable',
          `The canvas cannot listen on port ${at.port}: ${error.message}. Choose another canvasHost.port.`,
          { cause: error },
        ),
      ),
    );
    server.listen(at.port, at.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
