/** Connects to a server with a line protocol over TCP, in plain text or with TLS. */
import { readFile } from 'node:fs/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createSecureContext, rootCertificates } from 'node:tls';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { orAborted, orTimeout } from '../timeout.ts';

/** Where to, and how. */
export interface DialRequest {
  readonly host: string;
  readonly port: number;
  /**
   * Under TLS. `caFile`: certificates (PEM) that are trusted beside those of the system. `identity`: our own
   * certificate and its private key (PEM).
   */
  readonly tls?: { readonly caFile?: string | undefined; readonly identity?: string | undefined } | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Resolves once bytes can flow, under TLS once the server has proven its name. Rejects with `AppError`. */
export async function dial({ host, port, tls, timeoutMs, signal }: DialRequest): Promise<Duplex> {
  const where = `${host}:${port}`;
  const ca = tls?.caFile === undefined ? undefined : await trustedWith(tls.caFile);
  signal.throwIfAborted();
  const socket: Socket = tls
    ? connectTls({ host, port, ...present({ servername: isIP(host) === 0 ? host : undefined, ca }), ...proving(tls) })
    : connectTcp({ host, port });
  const ready = Promise.withResolvers<void>();
  socket.once(tls ? 'secureConnect' : 'connect', () => ready.resolve());
  socket.once('error', (error: NodeJS.ErrnoException) => ready.reject(dialError(error, where)));
  socket.once('close', () => ready.reject(new AppError('unavailable', `${where} closed the connection at once.`)));
  try {
    await orTimeout(orAborted(ready.promise, signal), {
      ms: timeoutMs,
      error: () => new AppError('timeout', `${where} did not answer in ${Math.round(timeoutMs / 1000)} s.`),
    });
  } catch (error) {
    socket.on('error', () => undefined); // it is given up: how it ends concerns nobody
    socket.destroy();
    throw error;
  }
  socket.setNoDelay(true);
  return socket;
}

/** Checked here: the error of the connection would say nothing of the file, and TLS must not show its key. */
function proving({ identity }: NonNullable<DialRequest['tls']>): { readonly cert?: string; readonly key?: string } {
  if (identity === undefined) return {};
  try {
    createSecureContext({ cert: identity, key: identity });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new AppError(
      'auth',
      `The client certificate cannot be used (${reason}): its file must hold a certificate and its private key (PEM).`,
    );
  }
  return { cert: identity, key: identity };
}

/** The certificates of a file (PEM), and those of the system. Rejects with `invalid` where it cannot be read. */
export async function trustedWith(file: string): Promise<string[]> {
  try {
    return [...rootCertificates, await readFile(file, 'utf8')];
  } catch (error) {
    throw new AppError('invalid', `The certificates in ${file} cannot be read.`, { cause: error });
  }
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ERR_TLS/;

function dialError(error: NodeJS.ErrnoException, where: string): AppError {
  const code = error.code ?? '';
  if (CERTIFICATE.test(code))
    return new AppError('unavailable', `The certificate of ${where} is not trusted (${code}).`, {
      cause: error,
      details: { certificate: code },
    });
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return new AppError('unavailable', `${where} does not speak TLS.`, { cause: error, details: { plain: true } });
  return new AppError('unavailable', `${where} cannot be reached (${code || error.message}).`, { cause: error });
}
