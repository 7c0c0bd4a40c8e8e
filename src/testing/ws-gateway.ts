/** A gateway on a plain HTTP server with fake services, and a raw client that validates every received frame. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, type ClientOptions } from 'ws';
import { createGatewayAuth, type GatewayAuthOptions } from '../gateway/auth.ts';
import { createDeviceIdentity, signProof, type DeviceIdentity } from '../gateway/devices/identity.ts';
import { noDevices, type DeviceRegistry } from '../host/devices.ts';
import { createFeatureEvents } from '../host/feature-events.ts';
import type { RunningFeature } from '../host/join-features.ts';
import { createGatewayWs, type GatewayWs } from '../gateway/ws/server.ts';
import { present } from '../core/present.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import type { WireLimits } from '../protocol/limits.ts';
import { createFakeServices, type FakeServices, type FakeServicesOptions } from './fake-services.ts';
import { publishedProtocol, type PublishedProtocol } from './published-protocol.ts';
import { tempDir } from './temp-dir.ts';

export const TOKEN = 'test-token';

export interface TestGatewayOptions {
  readonly services?: FakeServicesOptions;
  readonly auth?: Partial<GatewayAuthOptions>;
  readonly limits?: Partial<WireLimits>;
  readonly clock?: Clock;
  readonly port?: number;
  readonly stateDir?: string;
  /** Everybody comes from another machine. */
  readonly remote?: boolean;
  /** The feature that remembers devices; absent: nobody does. */
  readonly devices?: (at: {
    readonly stateDir: string;
    readonly clock: Clock;
    publish(event: string, payload: unknown): void;
  }) => Promise<{ readonly registry: DeviceRegistry; readonly running: RunningFeature }>;
}

export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly stateDir: string;
  readonly ws: GatewayWs;
  readonly services: FakeServices;
  readonly published: PublishedProtocol;
  open(options?: ClientOptions): Promise<RawClient>;
  /** Opened and connected as a backend with the shared token. */
  client(params?: Record<string, unknown>): Promise<RawClient>;
}

/** Compiled once: all gateways of a test run check against the same package. */
const published = publishedProtocol();

export async function startTestGateway({
  services: serviceOptions,
  auth: authOptions,
  limits,
  clock = systemClock,
  port: wanted = 0,
  stateDir,
  remote = false,
  devices,
}: TestGatewayOptions = {}): Promise<TestGateway> {
  await using cleanup = new AsyncDisposableStack();
  const home = stateDir ?? cleanup.use(await tempDir('gateway')).path;
  const events = createFeatureEvents();
  serviceOptions?.featureEvents?.(events.publish);
  const opened = await devices?.({ stateDir: home, clock, publish: events.publish });
  const registry = opened?.registry ?? noDevices;
  const services = createFakeServices({
    stateDir: home,
    ...serviceOptions,
    features: [
      ...(serviceOptions?.features ?? []).filter(({ feature }) => feature.id !== opened?.running.feature.id),
      ...(opened ? [opened.running] : []),
    ],
    featureEvents: events.subscribe,
  });
  const auth = createGatewayAuth({ mode: 'token', token: TOKEN, devices: registry, ...authOptions });
  if (remote) Object.assign(auth, { clientAddress: () => ({ ip: '203.0.113.9', local: false }) });
  const ws = createGatewayWs(present({ services, auth, devices: registry, clock, limits }));
  const server = createServer().on('upgrade', (req, socket, head) => ws.handleUpgrade(req, socket, head));
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clients = new Set<RawClient>();
  cleanup.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
  cleanup.use(ws);
  cleanup.defer(() => clients.forEach((client) => client.socket.terminate()));

  const url = `ws://127.0.0.1:${port}`;
  const open = async (options: ClientOptions = {}): Promise<RawClient> => {
    const client = await openRaw(url, options);
    clients.add(client);
    return client;
  };
  const stack = cleanup.move();
  return {
    url,
    port,
    stateDir: home,
    ws,
    services,
    published,
    open,
    async client(params) {
      const client = await open();
      const hello = await client.connect(params);
      assert.equal(hello.ok, true, JSON.stringify(hello.error));
      return client;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export interface RawClient {
  readonly socket: WebSocket;
  readonly frames: any[];
  readonly challenge: Promise<{ nonce: string; ts: number }>;
  readonly closed: Promise<{ code: number; reason: string }>;
  sendText(text: string | Buffer, options?: { binary?: boolean }): void;
  /** Resolves with the response frame. */
  request(method: string, params?: unknown): Promise<any>;
  connect(params?: Record<string, unknown>): Promise<any>;
  /** The payload of an OK response; fails the test otherwise. */
  call(method: string, params?: unknown): Promise<any>;
  /** The first frame, already here or still to come, that fits. */
  frame(fits: (frame: any) => boolean): Promise<any>;
  event(name: string, fits?: (payload: any) => boolean): Promise<any>;
}

/** A connection that says nothing by itself. */
export async function openRaw(url: string, options: ClientOptions = {}): Promise<RawClient> {
  const socket = new WebSocket(url, options);
  const frames: any[] = [];
  const waiting = new Set<{
    fits: (frame: any) => boolean;
    resolve: (frame: any) => void;
    reject: (error: Error) => void;
  }>();
  const methods = new Map<string, string>();
  let fault: Error | undefined;
  let ids = 0;

  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    try {
      published.check(frame, methods.get(frame.id));
    } catch (error) {
      fault = error as Error;
      for (const waiter of waiting) waiter.reject(fault);
    }
    frames.push(frame);
    for (const waiter of waiting) {
      if (!waiter.fits(frame)) continue;
      waiting.delete(waiter);
      waiter.resolve(frame);
    }
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once('close', (code, reason) => {
      resolve({ code, reason: String(reason) });
      for (const waiter of waiting) waiter.reject(new Error(`socket closed ${code} ${String(reason)}`));
    }),
  );
  socket.on('error', () => undefined);

  const frame = (fits: (frame: any) => boolean): Promise<any> => {
    if (fault) return Promise.reject(fault);
    const known = frames.find(fits);
    return known
      ? Promise.resolve(known)
      : new Promise((resolve, reject) => void waiting.add({ fits, resolve, reject }));
  };
  const request = (method: string, params?: unknown): Promise<any> => {
    const id = `r${++ids}`;
    methods.set(id, method);
    socket.send(JSON.stringify({ type: 'req', id, method, params }));
    return frame((one) => one.type === 'res' && one.id === id && one.payload?.status !== 'accepted');
  };
  const challenge = frame((one) => one.event === 'connect.challenge').then((one) => one.payload);
  challenge.catch(() => undefined);
  const client: RawClient = {
    socket,
    frames,
    challenge,
    closed,
    frame,
    request,
    sendText: (text, { binary = false } = {}) => socket.send(text, { binary }),
    connect: (params = {}) => request('connect', connectParams(params)),
    async call(method, params = {}) {
      const response = await request(method, params);
      assert.equal(response.ok, true, `${method}: ${JSON.stringify(response.error)}`);
      return response.payload;
    },
    event: (name, fits = () => true) => frame((one) => one.event === name && fits(one.payload)),
  };
  await Promise.race([new Promise((resolve) => socket.once('open', resolve)), closed]);
  return client;
}

export const connectParams = (params: Record<string, unknown> = {}): Record<string, unknown> => ({
  minProtocol: 4,
  maxProtocol: 4,
  client: { id: 'gateway-client', version: '1.0.0', platform: 'linux', mode: 'backend' },
  role: 'operator',
  scopes: ['operator.admin'],
  auth: { token: TOKEN },
  ...params,
});

/** `connect` parameters with a signed device proof. */
export async function deviceParams(
  client: RawClient,
  params: Record<string, unknown> = {},
  {
    identity = createDeviceIdentity(),
    proof = {},
  }: { identity?: DeviceIdentity; proof?: Record<string, unknown> } = {},
): Promise<Record<string, unknown>> {
  const { nonce, ts } = await client.challenge;
  const full: any = connectParams({
    client: { id: 'cli', version: '1.0.0', platform: 'linux', mode: 'ui' },
    ...params,
  });
  const token = full.auth?.token ?? full.auth?.deviceToken ?? full.auth?.bootstrapToken ?? '';
  const signed = {
    deviceId: identity.deviceId,
    clientId: full.client.id,
    clientMode: full.client.mode,
    role: full.role,
    scopes: full.scopes ?? [],
    signedAt: ts,
    token,
    nonce,
    platform: full.client.platform,
    deviceFamily: full.client.deviceFamily,
    ...proof,
  };
  return {
    ...full,
    device: {
      id: identity.deviceId,
      publicKey: identity.publicKey,
      signature: signProof(identity, signed),
      signedAt: signed.signedAt,
      nonce: signed.nonce,
    },
  };
}
