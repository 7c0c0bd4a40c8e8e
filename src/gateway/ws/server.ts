/** The WebSocket half of the gateway: takes upgraded sockets, admits clients, serves their requests, tells them what happens. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { PRODUCT_LABEL } from '../../core/product.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { randomId, uuid } from '../../platform/ids.ts';
import type { EventName } from '../../protocol/events.ts';
import { WIRE_LIMITS, type WireLimits } from '../../protocol/limits.ts';
import type { GatewayAuth } from '../auth.ts';
import type { DeviceStore } from '../devices/store.ts';
import type { MethodDeps } from '../methods/method.ts';
import type { GatewayServices } from '../services.ts';
import type { HandshakeDeps } from './caller.ts';
import { closeSocket, createConnection, type Peer } from './connection.ts';
import { createDispatcher } from './dispatch.ts';
import { createFailedLogins } from './failed-logins.ts';
import { admit, type Admission } from './handshake.ts';
import { createHealth } from './health.ts';
import { helloOk } from './hello.ts';
import { createHub, type PublishOptions } from './hub.ts';
import { answerDoor } from './knock.ts';
import { createPresence } from './presence.ts';
import { relayRuns } from './run-relay.ts';

const HEALTH_INTERVAL_MS = 60_000;

export interface GatewayWsOptions {
  readonly services: GatewayServices;
  readonly auth: GatewayAuth;
  readonly devices: DeviceStore;
  readonly clock?: Clock;
  readonly limits?: Partial<WireLimits>;
  /** How this machine shows in presence. */
  readonly hostName?: string;
}

export interface GatewayWs extends AsyncDisposable {
  /** For `server.on('upgrade')`; answers 503 itself when too many sockets are waiting to be admitted. */
  handleUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  broadcast(event: EventName, payload: unknown, options?: PublishOptions): void;
  connections(): readonly Peer[];
  /** Collects health with channel probes and tells clients when it changed. */
  publishHealth(): Promise<void>;
  /** Tells clients that the gateway goes away; with `restartExpectedMs` that it comes back. */
  announceShutdown(event: { readonly reason: string; readonly restartExpectedMs?: number }): void;
  /** Resolves when every socket is closed. */
  closeAll(code: number, reason: string): Promise<void>;
}

export function createGatewayWs({ services, auth, devices, clock = systemClock, limits: overrides, hostName = PRODUCT_LABEL }: GatewayWsOptions): GatewayWs {
  const limits: WireLimits = { ...WIRE_LIMITS, ...overrides };
  const log = services.log.child({ part: 'gateway.ws' });
  const bootId = randomId();
  // Compression off: it costs memory per connection, and compressing secrets beside outside text can leak them.
  const server = new WebSocketServer({ noServer: true, maxPayload: limits.maxPayload, perMessageDeflate: false, clientTracking: true });
  const hub = createHub();
  const stateVersion = () => ({ presence: presence.version(), health: health.version() });
  const presence = createPresence({
    clock, self: { host: hostName, version: services.version, platform: process.platform, mode: 'gateway', reason: 'self' },
    onChange: () => hub.publish('presence', { presence: presence.list() }, { droppable: true, stateVersion: stateVersion() }),
  });
  const health = createHealth({ services, clock, onChange: () => hub.publish('health', { ...health.current(), ...health.details() }, { stateVersion: stateVersion() }) });
  const methodDeps: MethodDeps = { services, devices, hub, presence, health, limits, clock };
  const handshakeDeps: HandshakeDeps = {
    services, auth, devices, clock, failedLogins: createFailedLogins(clock),
    onPairingRequest: (request) => hub.publish('device.pair.requested', request),
  };
  const relay = relayRuns({ chat: services.chat, hub, clock, deltaIntervalMs: limits.deltaIntervalMs });
  const refreshHealth = (): Promise<void> => health.refresh({ probe: true }).then(
    () => undefined,
    (error: unknown) => log.warn('gateway.health', { error: String(error) }),
  );
  const timers = [
    clock.setInterval(() => hub.publish('tick', { ts: clock.now() }, { droppable: true }), limits.tickIntervalMs).unref(),
    clock.setInterval(() => void refreshHealth(), HEALTH_INTERVAL_MS).unref(),
  ];
  let waiting = 0;

  function welcome(socket: WebSocket, request: IncomingMessage): void {
    const caller = { connId: uuid(), request, address: auth.clientAddress(request), challenge: { nonce: randomId(), ts: clock.now() } };
    let stopWaiting: (() => void) | undefined = undefined;
    let inside = false;
    waiting += 1;
    const leaveDoor = (): void => {
      if (!inside) waiting -= 1;
      inside = true;
    };
    // A broken frame (invalid UTF-8, too large) closes the socket with its own code; here it is only noted.
    socket.on('error', (error) => log.info('gateway.socket', { connId: caller.connId, error: error.message }));
    socket.once('close', () => {
      stopWaiting?.();
      leaveDoor();
    });
    stopWaiting = answerDoor({
      socket, caller, limits, clock, log,
      admit: (params) => admit(params, caller, handshakeDeps),
      admitted(admission, requestId, backlog) {
        leaveDoor();
        serve(socket, admission, { requestId, backlog });
      },
    });
  }

  function serve(socket: WebSocket, { peer, deviceToken }: Extract<Admission, { ok: true }>, { requestId, backlog }: { requestId: string; backlog: readonly string[] }): void {
    const connection = createConnection({ socket, peer, limits, clock });
    const ended = new AbortController();
    const { handle } = createDispatcher(connection, methodDeps, ended.signal);
    socket.on('message', (data, isBinary) => (isBinary ? connection.close(1003, 'text frames only') : handle(String(data))));
    socket.once('close', (code) => {
      hub.remove(connection);
      ended.abort();
      presence.disconnected(peer);
      log.info('gateway.closed', { connId: peer.connId, code });
    });
    presence.connected(peer);
    connection.respond(requestId, { payload: helloOk(peer, deviceToken, { services, auth, presence, health, limits, bootId, now: clock.now() }) });
    hub.add(connection);
    log.info('gateway.connected', { connId: peer.connId, client: peer.client.id, mode: peer.client.mode, role: peer.role, local: peer.local });
    for (const text of backlog) handle(text);
    void health.recent().catch((error: unknown) => log.warn('gateway.health', { error: String(error) }));
  }

  return {
    handleUpgrade(req, socket, head) {
      if (waiting >= limits.maxPendingHandshakes) return refuseUpgrade(socket);
      server.handleUpgrade(req, socket, head, welcome);
    },
    broadcast: hub.publish,
    connections: () => hub.connections().map((connection) => connection.peer),
    publishHealth: refreshHealth,
    announceShutdown: (event) => hub.publish('shutdown', event),
    async closeAll(code, reason) {
      const sockets = [...server.clients];
      const closed = sockets.map((socket) => new Promise((resolve) => (socket.readyState === socket.CLOSED ? resolve(undefined) : socket.once('close', resolve))));
      for (const socket of sockets) closeSocket(socket, { code, reason, clock });
      await Promise.all(closed);
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers) timer.cancel();
      relay[Symbol.dispose]();
      await this.closeAll(1012, 'service restart');
      server.close();
    },
  };
}

/** Before the handshake there is no WebSocket to close, only HTTP. */
function refuseUpgrade(socket: Duplex): void {
  socket.once('error', () => socket.destroy());
  socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n');
}
