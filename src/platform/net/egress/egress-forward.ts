/** Handles plain `http:` requests through the egress proxy: sent again as an own request to the checked target. */
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { AppError, asAppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import type { Connection, Target } from '../route/connection.ts';
import { dial } from '../route/dial.ts';
import { connectFailed, refusal, admitTarget, type Egress } from './egress-target.ts';
import { openProxySocket, proxyAuthorization } from '../route/tunnel.ts';

/** Headers between two neighbours (RFC 9110, section 7.6.1), and `host`, which the checked URL says. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
]);

/** How the proxy names itself where it answers in place of the target. */
export const EGRESS_STATUS = 'egress';

/** Never rejects: failures are reported to the command, or close the connection if the answer has begun. */
export async function forward(request: IncomingMessage, response: ServerResponse, egress: Egress): Promise<void> {
  egress.lease.hold(request.socket);
  const leave = egress.lease.enter();
  if (!leave) return reply(response, 503, 'Too many concurrent connections.\n');
  response.once('close', leave);
  try {
    await serve(request, response, egress);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else reply(response, 502, `${asAppError(error, 'network').message}\n`);
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, egress: Egress): Promise<void> {
  const url = URL.parse(request.url ?? '');
  if (url?.protocol !== 'http:')
    return reply(response, 400, 'This is a proxy: send an absolute http:// URL or a CONNECT request.\n');
  const vetted = await admitTarget(url, egress);
  if (!vetted.ok) return reply(response, 403, refusal(vetted.why));
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([egress.lease.signal, gone.signal]);
  const proxy = vetted.upstream?.protocol.startsWith('http') ? vetted.upstream : undefined;
  const connection = await connectFor(vetted, { proxy, signal }).catch((error: unknown) => {
    throw connectFailed(error, { target: vetted.target, ...egress });
  });
  egress.lease.note(present({ host: vetted.target.host, port: vetted.target.port, address: connection.address }));
  egress.lease.hold(connection.socket);
  await exchange({ request, response }, { url, proxy, connection, signal });
}

/** An HTTP proxy forwards such requests by itself; anything else is connected to. */
async function connectFor(
  { target, upstream }: { readonly target: Target; readonly upstream: URL | undefined },
  { proxy, signal }: { readonly proxy: URL | undefined; readonly signal: AbortSignal },
): Promise<Connection> {
  return proxy ? { socket: await openProxySocket(proxy, signal) } : dial(target, { upstream, signal });
}

interface Upstream {
  readonly url: URL;
  readonly proxy: URL | undefined;
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

async function exchange(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  { url, proxy, connection, signal }: Upstream,
): Promise<void> {
  const path = `${proxy ? url.origin : ''}${url.pathname}${url.search}`;
  const headers = [
    'Host',
    url.host,
    'Connection',
    'close',
    ...framing(request),
    ...forwarded(request),
    ...Object.entries(proxy ? proxyAuthorization(proxy) : {}).flat(),
  ];
  const onward = ask({ method: request.method, path, headers, createConnection: () => connection.socket, signal });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    onward.once('response', resolve).once('error', reject);
    onward.once('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new AppError('bad_response', `${url.host} switched protocols without being asked.`));
    });
  });
  // A socket that comes out of a handshake is paused; by now somebody reads from it.
  onward.once('socket', (socket) => socket.resume());
  // Not a pipeline: the target may answer before it has read everything.
  request.pipe(onward);
  const incoming = await answered;
  response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, forwarded(incoming));
  await pipeline(incoming, response, { signal });
}

/** Unframed, a body of unknown length would reach the next server as a request of its own, which nobody has checked. */
const framing = (request: IncomingMessage): readonly string[] =>
  request.headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked'];

/** Names and values in turn, as they were written. */
function forwarded(message: IncomingMessage): string[] {
  const named = new Set(
    (message.headers.connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  const kept: string[] = [];
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    const [name, value] = [message.rawHeaders[at]!, message.rawHeaders[at + 1]!];
    const key = name.toLowerCase();
    if (!NOT_FORWARDED.has(key) && !named.has(key)) kept.push(name, value);
  }
  return kept;
}

function reply(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      // RFC 9209: the proxy answers here, not the requested server.
      'proxy-status': EGRESS_STATUS,
      connection: 'close',
    })
    .end(body);
}
