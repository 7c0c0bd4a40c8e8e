/**
 * A gateway with scripted answers, for work on the Control UI and for states that are hard to reach with a real one.
 */
import { createHash, randomUUID, verify, createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer, type WebSocket } from 'ws';
import { answerMethod } from './fake-methods.ts';
import { FakeState } from './fake-state.ts';

export interface FakeGateway {
  readonly url: string;
  readonly state: FakeState;
  /** Every request but `connect`, in order. */
  readonly requests: readonly { readonly method: string; readonly params: Record<string, unknown> }[];
  /** `connect` parameters, in order. */
  readonly connects: readonly Record<string, unknown>[];
  /** Sends an event to every client. */
  emit(event: string, payload: unknown): void;
  /** Cuts every connection, as a lost network does. */
  drop(): void;
  /** While false, new connections are closed at once. */
  accepting: boolean;
  /** Uses up a sequence number, so that clients see a gap. */
  skipEvent(): void;
  close(): Promise<void>;
}

export interface FakeOptions {
  readonly port?: number;
  readonly token?: string;
  /** Milliseconds between two pieces of a streamed answer. */
  readonly pace?: number;
  readonly tickMs?: number;
  /** Built page to serve. */
  readonly uiDir?: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
export const BUILT_UI = fileURLToPath(new URL('../../dist/ui', import.meta.url));
/** The same policy as the gateway's: what works here must work there. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' data: blob:; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

export async function startFakeGateway(options: FakeOptions = {}): Promise<FakeGateway> {
  const { token, pace = 12, tickMs = 15_000, uiDir = BUILT_UI } = options;
  const requests: { method: string; params: Record<string, unknown> }[] = [];
  const connects: Record<string, unknown>[] = [];
  const clients = new Map<WebSocket, { seq: number }>();
  const emit = (event: string, payload: unknown): void =>
    clients.forEach((client, socket) =>
      socket.send(JSON.stringify({ type: 'event', event, payload, seq: ++client.seq })),
    );
  const state = new FakeState({ pace, broadcast: emit });

  const server = createServer(
    (request, response) =>
      void servePage(uiDir, request.url ?? '/').then(({ status, type, body }) =>
        response.writeHead(status, { 'content-type': type, 'content-security-policy': POLICY }).end(body),
      ),
  );
  const sockets = new WebSocketServer({ server, maxPayload: 25 * 1024 * 1024 });
  const tick = setInterval(
    () =>
      clients.forEach((_, socket) =>
        socket.send(JSON.stringify({ type: 'event', event: 'tick', payload: { ts: Date.now() } })),
      ),
    tickMs,
  );

  sockets.on('connection', (socket) => {
    if (!gateway.accepting) return socket.terminate();
    const nonce = randomUUID();
    const ts = Date.now();
    socket.send(JSON.stringify({ type: 'event', event: 'connect.challenge', payload: { nonce, ts } }));
    socket.on('close', () => clients.delete(socket));
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data)) as {
        id: string;
        method: string;
        params: Record<string, unknown>;
      };
      const respond = (body: object): void => socket.send(JSON.stringify({ type: 'res', id, ...body }));
      if (method === 'connect') {
        connects.push(params);
        const refusal = refusalOf(params, { token, nonce });
        if (refusal) {
          respond({ ok: false, error: refusal });
          return socket.close(1008, refusal.message);
        }
        clients.set(socket, { seq: 0 });
        return respond({ ok: true, payload: state.hello(params, tickMs) });
      }
      requests.push({ method, params });
      void answerMethod(state, method, params).then(
        (payload) => respond({ ok: true, payload }),
        (error: { code?: string; message: string; details?: unknown }) =>
          respond({
            ok: false,
            error: {
              code: error.code ?? 'UNAVAILABLE',
              message: error.message,
              ...(error.details ? { details: error.details } : {}),
            },
          }),
      );
    });
  });

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const gateway: FakeGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    requests,
    connects,
    emit,
    accepting: true,
    // also those that have not said who they are yet
    drop: () => sockets.clients.forEach((socket) => socket.terminate()),
    skipEvent: () => clients.forEach((client) => client.seq++),
    close: async () => {
      clearInterval(tick);
      state.stop();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gateway;
}

async function servePage(uiDir: string, url: string): Promise<{ status: number; type: string; body: Buffer | string }> {
  const path = normalize(new URL(url, 'http://x').pathname);
  const file = extname(path) ? path : '/index.html';
  try {
    return {
      status: 200,
      type: TYPES[extname(file)] ?? 'application/octet-stream',
      body: await readFile(join(uiDir, file)),
    };
  } catch (cause) {
    return { status: 404, type: 'text/plain', body: (cause as Error).message };
  }
}

function refusalOf(
  params: Record<string, unknown>,
  { token, nonce }: { token: string | undefined; nonce: string },
): { code: string; message: string; details: object } | undefined {
  const device = params['device'] as
    | { id: string; publicKey: string; signature: string; signedAt: number; nonce: string }
    | undefined;
  const given = (params['auth'] as { token?: string } | undefined)?.token;
  const issued = device && given === `device-${device.id}`;
  if (token && !given)
    return { code: 'INVALID_REQUEST', message: 'gateway token missing', details: { code: 'AUTH_TOKEN_MISSING' } };
  if (token && given !== token && !issued)
    return { code: 'INVALID_REQUEST', message: 'gateway token mismatch', details: { code: 'AUTH_TOKEN_MISMATCH' } };
  if (device && !proves(device, params, { token: given ?? '', nonce }))
    return {
      code: 'INVALID_REQUEST',
      message: 'device signature invalid',
      details: { code: 'DEVICE_AUTH_SIGNATURE_INVALID' },
    };
  return undefined;
}

/** Checks the proof as the protocol demands, so that a mistake in the page's signing shows here already. */
function proves(
  device: { id: string; publicKey: string; signature: string; signedAt: number; nonce: string },
  params: Record<string, unknown>,
  { token, nonce }: { token: string; nonce: string },
): boolean {
  const raw = Buffer.from(device.publicKey, 'base64url');
  const client = params['client'] as { id: string; mode: string; platform: string };
  const payload = [
    'v3',
    device.id,
    client.id,
    client.mode,
    params['role'],
    (params['scopes'] as string[]).join(','),
    device.signedAt,
    token,
    nonce,
    client.platform,
    '',
  ].join('|');
  const key = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]),
    format: 'der',
    type: 'spki',
  });
  return (
    device.nonce === nonce &&
    createHash('sha256').update(raw).digest('hex') === device.id &&
    verify(null, Buffer.from(payload), key, Buffer.from(device.signature, 'base64url'))
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const gateway = await startFakeGateway({ port: Number(process.argv[2] ?? 18799), pace: 30 });
  console.log(`fake gateway on ${gateway.url}`);
}
