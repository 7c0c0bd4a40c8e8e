/** One TCP connection: the request, the outcome, and opening it. */
import { connect, type Socket } from 'node:net';
import { AppError } from '../../../core/errors.ts';
import type { ResolvedAddress } from '../guard/resolve.ts';

/** A host to connect to, by the addresses that were checked. */
export interface Target {
  /** As in the URL, without brackets. */
  readonly host: string;
  readonly port: number;
  /** What the guard vetted; never empty. */
  readonly addresses: readonly ResolvedAddress[];
}

/** `address`: where it ends. Undefined behind a proxy that looks the name up by itself. */
export interface Connection {
  readonly socket: Socket;
  readonly address?: string;
}

/** Milliseconds one address has to accept. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A connected socket. Rejects with `AppError('network')`, `details.code` being the system's, or with the signal's
 * reason.
 */
export function openSocket(to: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = connect({ ...to, noDelay: true });
    const timer = setTimeout(() => fail(unreachable(to, 'ETIMEDOUT')), CONNECT_TIMEOUT_MS);
    function release(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.off('connect', connected).off('error', failed);
    }
    function fail(reason: unknown): void {
      release();
      // A late error of a socket nobody holds any more would end the process.
      socket.on('error', () => undefined).destroy();
      reject(reason);
    }
    function connected(): void {
      release();
      resolve(socket);
    }
    function failed(error: NodeJS.ErrnoException): void {
      fail(unreachable(to, error.code ?? error.message, error));
    }
    function stop(): void {
      fail(signal.reason);
    }
    socket.once('connect', connected).once('error', failed);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function unreachable(to: { readonly host: string; readonly port: number }, code: string, cause?: Error): AppError {
  return new AppError('network', `${to.host}:${to.port} does not answer (${code}).`, { cause, details: { code } });
}
