/** The headers of every response, and the CORS headers for allowed origins. */
import type { HttpRequest } from '../../host/http/surface.ts';
import type { ServerResponse } from 'node:http';
import { isAllowedOrigin } from './guard.ts';

/** Set on every answer; a page's own policy replaces the empty one. */
export function setSecurityHeaders(res: ServerResponse, requestId: string): void {
  res.setHeader('x-request-id', requestId);
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('referrer-policy', 'no-referrer');
  res.setHeader('x-frame-options', 'DENY');
  res.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
}

/**
 * The Control UI: own scripts only; images also from data and blob addresses, never from other hosts (a model's answer
 * must not phone home).
 */
const UI_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self' ws: wss:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The policy of the Control UI's pages. `frames`: where documents beside the gateway's own may be framed from; a frame
 * that leads itself elsewhere is stopped by it, too.
 */
export const uiPolicy = (frames: readonly string[] = []): string =>
  `${UI_POLICY}; frame-src ${["'self'", ...frames].join(' ')}`;

/** A drawing that is opened as a page of its own may neither script nor load anything. */
export const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/**
 * Lets a page of an allowed foreign origin read the answer. True when the request was only the browser's question
 * whether it may.
 */
export function allowForeignPage(request: HttpRequest, allowedOrigins: readonly string[]): boolean {
  const origin = request.headers.origin;
  if (origin === undefined || !isAllowedOrigin(origin, { allowedOrigins })) return false;
  request.res.setHeader('access-control-allow-origin', origin);
  request.res.setHeader('vary', 'origin');
  request.res.setHeader('access-control-expose-headers', 'x-request-id, x-clawdbot-session-key, retry-after');
  if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return false;
  request.res.setHeader('access-control-allow-methods', 'GET, HEAD, POST');
  request.res.setHeader(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? 'authorization, content-type',
  );
  request.res.setHeader('access-control-max-age', '600');
  request.res.writeHead(204).end();
  return true;
}
