/** Writes HTTP responses and errors; the only place where an `AppError` becomes an HTTP status. */
import type { HttpRequest } from './surface.ts';
import type { ServerResponse } from 'node:http';
import { asAppError, ERROR_CODES, type AppError, type ErrorCode } from '../../core/errors.ts';

type ExtraHeaders = Readonly<Record<string, string>>;

/** Ends the response with the body as JSON. */
export function sendJson(res: ServerResponse, status: number, body: unknown, headers?: ExtraHeaders): void {
  sendText(res, status, JSON.stringify(body), { 'content-type': 'application/json; charset=utf-8', ...headers });
}

/** A `HEAD` request gets the headers alone. */
export function sendText(res: ServerResponse, status: number, body: string | Uint8Array, headers?: ExtraHeaders): void {
  res.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  res.end(res.req.method === 'HEAD' ? undefined : body);
}

/**
 * Answers with the error in the shape the path's callers expect; when an answer is already under way the connection is
 * cut instead.
 */
export function sendError(request: Pick<HttpRequest, 'path' | 'res'>, thrown: unknown): AppError {
  const error = asAppError(thrown);
  if (request.res.headersSent) request.res.destroy();
  else if (!request.res.destroyed)
    sendJson(request.res, statusOf(error), errorBody(request.path, error), errorHeaders(error));
  return error;
}

/**
 * 499 and 529 are ours alone, so callers get the nearest registered status; `details.allow` makes it a refused method.
 */
export function statusOf({ code, details }: Pick<AppError, 'code' | 'details'>): number {
  if (details?.['allow'] !== undefined) return 405;
  if (code === 'overloaded') return 503;
  return code === 'aborted' ? 409 : ERROR_CODES[code].http;
}

/** Its callers expect errors as `{ ok: false, error: { type, message } }`. */
export const TOOLS_INVOKE_PATH = '/tools/invoke';
const TOOL_ERROR_TYPES: Partial<Record<ErrorCode, string>> = { auth: 'unauthorized', invalid: 'invalid_request' };

/** An error in the shape that callers of this path know, without what is only for the log. */
export function errorBody(path: string, error: AppError): unknown {
  if (path === TOOLS_INVOKE_PATH)
    return { ok: false, error: { type: TOOL_ERROR_TYPES[error.code] ?? error.code, message: publicMessage(error) } };
  return path.startsWith('/v1')
    ? { error: openAiError(error) }
    : { error: { code: error.code, message: publicMessage(error) } };
}

interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

/**
 * OpenAI's error object. `details.param` names the field, `details.code` replaces our code by one OpenAI clients know.
 */
export function openAiError(error: AppError): OpenAiError {
  const { param, code } = error.details ?? {};
  return {
    message: publicMessage(error),
    type: openAiType(error),
    param: typeof param === 'string' ? param : null,
    code: typeof code === 'string' ? code : error.code,
  };
}

function openAiType(error: AppError): string {
  if (error.code === 'auth') return 'authentication_error';
  if (error.code === 'denied') return 'permission_error';
  if (error.code === 'rate_limited') return 'rate_limit_error';
  return statusOf(error) < 500 ? 'invalid_request_error' : 'server_error';
}

/** A fault of ours may carry paths or fragments of data in its message: those stay in the log. */
function publicMessage(error: AppError): string {
  return error.code === 'internal'
    ? 'The gateway hit an internal error; its log has the details under this request id.'
    : error.message;
}

function errorHeaders(error: AppError): ExtraHeaders {
  const headers: Record<string, string> = {};
  if (error.code === 'auth') headers['www-authenticate'] = 'Bearer realm="gateway"';
  if (error.retryAfterMs !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterMs / 1000)));
  const allow = error.details?.['allow'];
  if (typeof allow === 'string') headers['allow'] = allow;
  return headers;
}
