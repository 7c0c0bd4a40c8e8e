/** Sets the timeouts of HTTP connections, and answers clients whose request could not be parsed. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { asAppError, type AppError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/storage-error.ts';
import { errorBody, statusOf } from '../../host/http/reply.ts';

/** Milliseconds, named as node:http names them. */
export interface WireTimes {
  /** To send the whole head of a request. */
  readonly headersTimeout: number;
  /** To send the whole request. */
  readonly requestTimeout: number;
  /** Between two requests on one connection. */
  readonly keepAliveTimeout: number;
  /** How often the first two are checked. */
  readonly connectionsCheckingInterval: number;
  /** Without a byte in either direction; longer than any turn takes. */
  readonly idleTimeout: number;
}

export const DEFAULT_WIRE_TIMES: WireTimes = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  idleTimeout: 30 * 60_000,
};

/** Answers what was not HTTP, or came too slowly. */
export function refuseMalformed(socket: Duplex, error: Error): void {
  if (!socket.writable || errnoOf(error) === 'ECONNRESET') return void socket.destroy();
  const status = MALFORMED[errnoOf(error) ?? ''] ?? 400;
  endWith(socket, status, {
    error: { code: 'invalid', message: `${STATUS_CODES[status]}: the request could not be read.` },
  });
}

const MALFORMED: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** Refuses an upgrade in plain HTTP; returns the error for the log. */
export function refuseUpgrade(socket: Duplex, thrown: unknown): AppError {
  const error = asAppError(thrown);
  endWith(socket, statusOf(error), errorBody('/', error));
  return error;
}

function endWith(socket: Duplex, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
    '',
    '',
  ];
  socket.end(head.join('\r\n') + text, () => socket.destroy());
}
