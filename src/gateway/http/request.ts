/** Parses an HTTP request once for its handlers, with a signal that fires when the client disconnects. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientAddress, HttpRequest } from '../../host/http/surface.ts';
import { uuid } from '../../platform/ids.ts';

export function openRequest(req: IncomingMessage, res: ServerResponse, client: ClientAddress): HttpRequest {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  const { path, query } = splitTarget(req.url ?? '/');
  return {
    id: uuid().replaceAll('-', ''),
    method: req.method ?? 'GET',
    path,
    query,
    headers: req.headers,
    client,
    signal: gone.signal,
    req,
    res,
  };
}

/** `/a/b?c=d` → `/a/b` and `c=d`; an absolute target (as proxies send) loses its origin. */
export function splitTarget(target: string): { path: string; query: string } {
  const local = target.startsWith('/') ? target : afterOrigin(target);
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function afterOrigin(target: string): string {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  return url ? url.pathname + url.search : '/';
}
