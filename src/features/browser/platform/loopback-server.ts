/** The HTTP server of the control service on loopback. Rejects other host names, and requests of web pages. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '../../../core/errors.ts';
import { randomId } from '../../../platform/ids.ts';
import { errnoOf } from '../../../platform/storage-error.ts';

/** A request, in the shape of the gateway's own (`host/http/surface.ts`), so that its handlers fit. */
export type LoopbackRequest = ReturnType<typeof requestOf>;

/** What answers its requests. */
export interface LoopbackHandlers {
  /** Proves its caller itself. */
  handle(request: LoopbackRequest): Promise<void>;
  /** Whatever was thrown becomes an answer. */
  failed(request: LoopbackRequest, error: unknown): void;
}

/** A server that listens. */
export interface LoopbackServer {
  readonly port: number;
  /** Ends open connections too. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1; port 0: one of the system's. Rejects with `AppError('conflict')` where it cannot. */
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

/**
 * A page can point a name of its own at this address, and send requests here: the name stays visible in `Host`, the
 * page in `Origin`.
 */
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
