/** The HTTP server of the control service on loopback. Rejects other host names, and requests of web pages. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '../../../core/errors.ts';
import { randomId } from '../../../platform/ids.ts';
import { errnoOf } from '../../../platform/storage-error.ts';

/** A request with the same interface as on the gateway (`host/http/surface.ts`), so that its handlers can be used. */
export type LoopbackRequest = ReturnType<typeof requestOf>;

/** The handler of requests. */
export interface LoopbackHandlers {
  /** Authenticates its callers itself. */
  handle(request: LoopbackRequest): Promise<void>;
  /** Converts an error to a response. */
  failed(request: LoopbackRequest, error: unknown): void;
}

/** A listening server. */
export interface LoopbackServer {
  readonly port: number;
  /** Also closes open connections. */
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1; port 0: the system chooses. Rejects with `AppError('conflict')` if the port is not available.
 */
export async function listenOnLoopback(port: number, { handle, failed }: LoopbackHandlers): Promise<LoopbackServer> {
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const request = requestOf(req, res);
    try {
      checkNames(request);
      await handle(request);
    } catch (error) {
      failed(request, error);
    }
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host: '127.0.0.1', port }, () => resolve(void server.off('error', reject)));
  }).catch((error: unknown) => {
    const code = errnoOf(error);
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const why = code === 'EACCES' ? 'needs rights this program has not' : 'is taken by another program';
    throw new AppError('conflict', `Port ${port} on 127.0.0.1 ${why}.`, { cause: error });
  });
  return {
    port: (server.address() as { readonly port: number }).port,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function requestOf(req: IncomingMessage, res: ServerResponse) {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  const target = req.url ?? '/';
  const mark = target.indexOf('?');
  return {
    id: randomId(),
    method: req.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers: req.headers,
    client: { ip: '127.0.0.1', local: true },
    signal: gone.signal,
    req,
    res,
  };
}

/** Rejects DNS rebinding and requests of web pages: the host name of the page is in `Host`, the page in `Origin`. */
function checkNames({ headers }: LoopbackRequest): void {
  const host = (headers.host ?? '').trim().toLowerCase();
  if (!/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(host))
    throw new AppError(
      'denied',
      `The Host header ${JSON.stringify(host.slice(0, 100))} is not a name of this service; use 127.0.0.1.`,
    );
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw new AppError('denied', 'Web pages may not use this service.');
}
