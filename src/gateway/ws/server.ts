/** The WebSocket part of the gateway: accepts sockets, admits clients, serves their requests, sends events. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { PRODUCT_LABEL } from '../../core/product.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { randomId } from '../../platform/ids.ts';
import type { StateVersion } from '../../protocol/frames.ts';
import { WIRE_LIMITS, type WireLimits } from '../../protocol/limits.ts';
import type { GatewayAuth } from '../auth.ts';
import type { DeviceRegistry, Revoked } from '../../host/devices.ts';
import type { GatewayServices } from '../services.ts';
import { methodTable } from '../methods/table.ts';
import { relayLog } from './log-relay.ts';
import { relayPairing } from './pairing-relay.ts';
import { closeSocket, type Peer } from './connection.ts';
import { createFailedLogins, type FailedLogins } from './failed-logins.ts';
import { createHealth, type Health } from './health.ts';
import { createHub, type Hub } from './hub.ts';
import { createPresence } from './presence.ts';
import { createPresenceEvents } from './presence-events.ts';
import { createSocketHandler } from './serve-socket.ts';
import { relayRuns } from './run-relay.ts';

const HEALTH_INTERVAL_MS = 60_000;

export interface GatewayWsOptions {
  readonly services: GatewayServices;
  readonly auth: GatewayAuth;
  readonly devices: DeviceRegistry;
  readonly clock?: Clock;
  readonly limits?: Partial<WireLimits>;
  /** Shared with HTTP, so that failed attempts on both are counted together. */
  readonly failedLogins?: FailedLogins;
  /** How this machine shows in presence. */
  readonly hostName?: string;
}

export interface GatewayWs extends AsyncDisposable {
  /**
   * For `server.on('upgrade')`. Where too many sockets wait to be admitted, the one that was silent longest is closed.
   * `admitted`: the caller is known; false where no room is left for it.
   */
  handleUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer, admitted?: () => boolean): void;
  connections(): readonly Peer[];
  /** Bytes all clients together have not taken yet. */
  unreadBytes(): number;
  /** Collects health with channel probes and tells clients when it changed. */
  publishHealth(): Promise<void>;
  /** Tells clients that the gateway goes away; with `restartExpectedMs` that it comes back. */
  announceShutdown(event: { readonly reason: string; readonly restartExpectedMs?: number }): void;
  /** Resolves when every socket is closed. */
  closeAll(code: number, reason: string): Promise<void>;
  /** All connections close with code 1012, and no events or timers follow. */
  close(): Promise<void>;
}

export function createGatewayWs({
  services,
  auth,
  devices,
  clock = systemClock,
  limits: overrides,
  failedLogins = createFailedLogins(clock),
  hostName = PRODUCT_LABEL,
}: GatewayWsOptions): GatewayWs {
  const limits: WireLimits = { ...WIRE_LIMITS, ...overrides };
  const log = services.log.child({ part: 'gateway.ws' });
  const server = createSocketServer(limits);
  const hub = createHub(services.features.events);
  const presence = createPresence({
    clock,
    self: {
      host: hostName,
      version: services.version,
      platform: process.platform,
      mode: 'gateway',
      reason: 'self',
      instanceId: 'gateway',
    },
  });
  const health = createHealth({ services, clock, observed: () => hub.connections().length > 0 });
  const stateVersion = (): StateVersion => ({ presence: presence.version(), health: health.version() });
  const presenceEvents = createPresenceEvents({ hub, clock, presence, stateVersion });
  presence.onChange(presenceEvents.note);
  health.onChange((details) =>
    hub.publish('health', { ...health.current(), ...details }, { stateVersion: stateVersion() }),
  );
  const socketHandler = createSocketHandler({
    log,
    bootId: randomId(),
    methods: { services, devices, hub, presence, health, limits, table: methodTable(services.features), clock },
    handshake: { services, auth, devices, clock, failedLogins },
  });
  const tellingClients = notifyClients({ services, devices, hub, health, clock, limits });

  async function closeAll(code: number, reason: string): Promise<void> {
    const sockets = [...server.clients];
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of sockets) closeSocket(socket, { code, reason, clock });
    await Promise.all(closed);
  }

  async function close(): Promise<void> {
    tellingClients[Symbol.dispose]();
    presenceEvents[Symbol.dispose]();
    await closeAll(1012, 'service restart');
    server.close();
  }

  return {
    handleUpgrade: (req, socket, head, admitted) =>
      server.handleUpgrade(req, socket, head, (client) => socketHandler.welcome(client, req, admitted)),
    connections: () => hub.connections().map((connection) => connection.peer),
    unreadBytes: hub.unreadBytes,
    publishHealth: async () => void (await health.refresh({ probe: true })),
    announceShutdown: (event) => hub.publish('shutdown', event),
    closeAll,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Compression is off: it costs memory per connection, and compressing secrets beside outside text can leak them. */
const createSocketServer = ({ maxPayload }: WireLimits): WebSocketServer =>
  new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false, clientTracking: true });

interface Telling {
  readonly services: GatewayServices;
  readonly devices: DeviceRegistry;
  readonly hub: Hub;
  readonly health: Health;
  readonly clock: Clock;
  readonly limits: WireLimits;
}

/** What clients hear of without asking, until it is disposed of: runs, pairing, what features publish, ticks. */
function notifyClients({ services, devices, hub, health, clock, limits }: Telling): Disposable {
  const ends = new DisposableStack();
  ends.use(relayRuns(services.chat, { hub, clock, deltaIntervalMs: limits.deltaIntervalMs }));
  ends.use(relayLog(services.logFile, { hub, clock, failed: (error) => services.log.debug('log.follow', { error }) }));
  ends.defer(relayPairing(services.pairing, { hub, now: () => clock.now() }));
  ends.defer(
    services.channels.subscribe((account) => {
      hub.publish('channels.changed', account);
      health.refreshSoon();
    }),
  );
  ends.defer(services.features.subscribe((event, payload) => hub.publish(event, payload)));
  // After the answer is out, so that a caller that changed its own token still learns the new one.
  ends.defer(devices.onRevoked((revoked) => setImmediate(() => dropSockets(hub, revoked))));
  const tick = (): void => void hub.publish('tick', { ts: clock.now() }, { droppable: true });
  ends.use(clock.setInterval(tick, limits.tickIntervalMs).unref());
  ends.use(clock.setInterval(() => health.refreshIfOld(), HEALTH_INTERVAL_MS).unref());
  return ends;
}

function dropSockets(hub: Hub, { deviceId, role, reason }: Revoked): void {
  for (const { peer, close } of hub.connections())
    if (peer.deviceId === deviceId && (role === undefined || peer.role === role)) close(1008, reason);
}
