/** One HTTP request as the handlers see it: parsed once, with a signal that fires when the client goes away. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { PRODUCT_NAMES } from '../../core/product.ts';
import { randomId } from '../../platform/ids.ts';
import type { ClientAddress } from '../auth.ts';

export interface HttpRequest {
  /** Ours, sent back as `x-request-id` and written to the log. */
  readonly id: string;
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly client: ClientAddress;
  /** Fires when the connection closes before the answer was complete. */
  readonly signal: AbortSignal;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export function openRequest(req: IncomingMessage, res: ServerResponse, client: ClientAddress): HttpRequest {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  const { path, query } = splitTarget(req.url ?? '/');
  return { id: randomId(), method: req.method ?? 'GET', path, query, headers: req.headers, client, signal: gone.signal, req, res };
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

/** A header of ours: `x-clawdbot-<name>`, or a spelling existing clients send (`x-moltbot-`, `x-openclaw-`). */
export function productHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = PRODUCT_NAMES.map((product) => headers[`x-${product}-${name}`]).find((given) => given !== undefined);
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text || undefined;
}
