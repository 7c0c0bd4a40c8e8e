/**
 * Servers on 127.0.0.1 for tests: plain ones, an HTTP proxy and a SOCKS proxy that record requests, and a fetch that
 * reaches them.
 */
import assert from 'node:assert/strict';
import { createServer, request as ask, type RequestListener } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { systemClock } from '../clock.ts';
import { createNetGuard, type Resolve } from './guard/guard.ts';
import { createGuardedFetch, type FetchOptions } from './fetch/guarded-fetch.ts';
import { userProxy } from './route/user-proxy.ts';

/** The port of a server that ends with the test, open connections included. */
export async function listening(t: TestContext, server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket.on('error', () => undefined).once('close', () => open.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  );
  return (server.address() as AddressInfo).port;
}

export const http = (t: TestContext, listener: RequestListener): Promise<number> =>
  listening(t, createServer(listener));
export const tcp = (t: TestContext, listener: (socket: Socket) => void): Promise<number> =>
  listening(t, createTcpServer(listener));
/** Says `answer`, byte for byte, to whatever comes, and hangs up. */
export const parrot = (t: TestContext, answer: string): Promise<number> =>
  tcp(t, (socket) => void socket.once('data', () => socket.end(answer)));

/** What a proxy was asked for, in order: `CONNECT host:port`, `GET http://…`, `SOCKS host:port`, and the credential. */
export interface ProxyRecord {
  readonly port: number;
  readonly asked: string[];
  readonly credentials: (string | undefined)[];
}

/** Connects to 127.0.0.1 whatever the host, for no name of a test exists. */
export async function httpProxy(t: TestContext, { refuses = false } = {}): Promise<ProxyRecord> {
  const record: Omit<ProxyRecord, 'port'> = { asked: [], credentials: [] };
  const server = createServer((incoming, response) => {
    record.asked.push(`${incoming.method} ${incoming.url}`);
    record.credentials.push(incoming.headers['proxy-authorization']);
    const { port, pathname } = new URL(incoming.url!);
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    incoming.pipe(
      ask({ host: '127.0.0.1', port, path: pathname, method: incoming.method, headers }, (answer) =>
        answer.pipe(response.writeHead(answer.statusCode!, answer.headers)),
      ),
    );
  });
  server.on('connect', (incoming, socket: Socket) => {
    record.asked.push(`CONNECT ${incoming.url}`);
    record.credentials.push(incoming.headers['proxy-authorization']);
    if (refuses) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const far = connect(Number(incoming.url!.split(':').at(-1)), '127.0.0.1', () =>
      socket.write('HTTP/1.1 200 OK\r\n\r\n'),
    );
    for (const [from, to] of [
      [socket, far],
      [far, socket],
    ] as const)
      from
        .on('error', () => to.destroy())
        .once('close', () => to.destroy())
        .pipe(to);
  });
  return { port: await listening(t, server), ...record };
}

/** SOCKS 5 with user `me` and password `pass` when `login` says so. */
export async function socksProxy(t: TestContext, { login = false, status = 0 } = {}): Promise<ProxyRecord> {
  const record: Omit<ProxyRecord, 'port'> = { asked: [], credentials: [] };
  const port = await tcp(t, (socket) => void serveSocks(socket, { login, status, record }));
  return { port, ...record };
}

async function serveSocks(
  socket: Socket,
  { login, status, record }: { login: boolean; status: number; record: Omit<ProxyRecord, 'port'> },
): Promise<void> {
  const message = (): Promise<Buffer> => new Promise((resolve) => socket.once('data', resolve));
  await message();
  socket.write(Buffer.from([5, login ? 2 : 0]));
  if (login) {
    const text = await message();
    record.credentials.push(`${text.subarray(2, 2 + text[1]!)}:${text.subarray(3 + text[1]!)}`);
    socket.write(Buffer.from([1, record.credentials.at(-1) === 'me:pass' ? 0 : 1]));
  }
  const wanted = await message();
  const host = wanted[3] === 3 ? wanted.subarray(5, 5 + wanted[4]!).toString() : [...wanted.subarray(4, 8)].join('.');
  const port = wanted.readUInt16BE(wanted.length - 2);
  record.asked.push(`SOCKS ${host}:${port}`);
  const reply = Buffer.from([5, status, 0, 1, 0, 0, 0, 0, 0, 0]);
  if (status !== 0) return void socket.end(reply);
  const far = connect(port, '127.0.0.1', () => {
    // In two pieces, as a network may deliver it.
    socket.write(reply.subarray(0, 3), () => setImmediate(() => socket.write(reply.subarray(3))));
    socket.pipe(far).pipe(socket);
  });
  far.on('error', () => socket.destroy()).once('close', () => socket.destroy());
  socket.once('close', () => far.destroy());
}

const HERE: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];

/** Waits between retries end at once; time limits are real. */
const hasty = (slept: number[]) => ({ ...systemClock, sleep: async (ms: number) => void slept.push(ms) });

export function fetcher({
  resolve = HERE,
  slept = [],
  clock = hasty(slept),
  proxy,
}: {
  resolve?: Resolve;
  slept?: number[];
  clock?: typeof systemClock;
  proxy?: string;
} = {}) {
  const guard = createNetGuard({ rules: () => ({ allowHosts: [], allowRanges: ['127.0.0.1/32'] }), resolve });
  const fetch = createGuardedFetch({
    guard,
    userAgent: 'test/1',
    clock,
    random: () => 0.5,
    upstream: userProxy({ configured: proxy, vars: {} }),
  });
  return (url: string, options: Partial<FetchOptions> = {}) =>
    fetch.fetch(url, { maxBytes: 100_000, timeoutMs: 10_000, signal: new AbortController().signal, ...options });
}

export const failsWith = (code: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof AppError);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  return true;
};
