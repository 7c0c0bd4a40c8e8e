/** The gateway's one port: HTTP routes and WebSocket upgrades behind the same guard, opened and closed together. */
import type { HttpRequest } from '../host/http/surface.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { PRODUCT_LABEL } from '../core/product.ts';
import type { Clock } from '../platform/clock.ts';
import { machineName } from '../platform/machine-name.ts';
import { tailnetAddress } from '../platform/tailnet.ts';
import type { GatewayAuth } from './auth.ts';
import { createAccess } from './http/access.ts';
import { mountAvatars } from './http/avatar.ts';
import { planBind } from './http/bind-plan.ts';
import { createConnectionCaps, type CapLimits } from './http/connection-caps.ts';
import { createConnectionRoom } from './http/connection-room.ts';
import { checkRequest, type GuardRules } from './http/guard.ts';
import { allowForeignPage, setSecurityHeaders } from './http/headers.ts';
import { mountHealth } from './http/health.ts';
import { openServers } from './http/listen.ts';
import { DEFAULT_WIRE_TIMES, refuseMalformed, refuseUpgrade, type WireTimes } from './http/wire.ts';
import { sendError } from '../host/http/reply.ts';
import { openRequest, splitTarget } from './http/request.ts';
import { createRouter } from './http/router.ts';
import { mountPages, mountUi, normaliseBasePath } from './http/static-ui.ts';
import { mountToolsInvoke } from './http/tools-invoke.ts';
import { webhookMethods } from './http/webhooks.ts';
import { createProgramCallers } from './http/program-callers.ts';
import { acceptUpgrade } from './http/feature-upgrade.ts';
import type { GatewayServices } from './services.ts';
import { createFailedLogins, type FailedLogins } from './ws/failed-logins.ts';

/** What is needed of the WebSocket side (`createGatewayWs`). */
export interface WsEndpoint {
  /**
   * Takes the connection over; its request has passed the guard. `admitted` is called when the caller is known, and
   * answers whether there is room for it.
   */
  handleUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer, admitted: () => boolean): void;
  /** Closes every client with 1012. */
  close(): void | Promise<void>;
}

export interface GatewayServerOptions {
  readonly services: GatewayServices;
  readonly auth: GatewayAuth;
  readonly ws: WsEndpoint;
  readonly clock: Clock;
  /** The built Control UI; may not exist. */
  readonly uiDir: string;
  /** A token or password is set: without one only this machine is let in. */
  readonly secretConfigured: boolean;
  /** Shared with the WebSocket side, so that guesses on both doors count together. */
  readonly failedLogins?: FailedLogins;
  /** For tests; the defaults are right. */
  readonly limits?: { readonly connections?: CapLimits; readonly times?: WireTimes };
}

export interface GatewayServer {
  /** Throws `AppError('conflict')` for a taken port, `AppError('invalid')` for an impossible or unsafe bind. */
  listen(): Promise<{ readonly port: number; readonly urls: readonly string[] }>;
  /** New work is refused and the ready probe fails; what runs goes on. */
  beginDrain(): void;
  /** Stops listening at once, lets answers finish until the deadline, then cuts. */
  close(options?: { readonly deadlineMs?: number }): Promise<void>;
}

const CLOSE_DEADLINE_MS = 5_000;

export function createGatewayServer(options: GatewayServerOptions): GatewayServer {
  const { services, auth, clock, limits = {} } = options;
  const { controlUi, port, ...bindConfig } = services.gatewayConfig();
  const basePath = normaliseBasePath(controlUi.basePath);
  const plan = planBind({ config: bindConfig, secretConfigured: options.secretConfigured, tailnetAddress });
  const caps = createConnectionCaps({
    limits: limits.connections,
    proxies: bindConfig.trustedProxies,
    room: createConnectionRoom(services.descriptors, clock),
  });
  const failedLogins = options.failedLogins ?? createFailedLogins(clock);
  const access = createAccess({ auth, failedLogins, proved: caps.proved });
  const state: ServerState = { servers: [], draining: false };
  const hostNames = plan.loopbackOnly ? [] : localNames();
  const rules = (): GuardRules => ({
    loopbackOnly: plan.loopbackOnly,
    hostNames,
    allowedOrigins: services.gatewayConfig().controlUi.allowedOrigins,
  });
  const programs = createProgramCallers({
    auth,
    failedLogins,
    proved: caps.proved,
    allowedOrigins: () => rules().allowedOrigins,
  });
  const features = services.features.http({ access, programs });
  const router = routesOf(options, { access, features, basePath, draining: () => state.draining });
  const door = new ServerDoor({ options, state, router, features, access, caps, rules });

  return {
    async listen() {
      const opened = await openServers(plan, port, () => door.createOne());
      state.servers = opened.servers;
      services.log
        .child({ part: 'http' })
        .info('http.listening', { port: opened.port, hosts: [plan.host, ...plan.also] });
      return { port: opened.port, urls: [urlOf(plan, opened.port, basePath)] };
    },
    beginDrain() {
      state.draining = true;
    },
    async close({ deadlineMs = CLOSE_DEADLINE_MS } = {}) {
      state.draining = true;
      const closed = Promise.all(
        state.servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
      );
      await options.ws.close();
      const cut = clock.setTimeout(() => state.servers.forEach((server) => server.closeAllConnections()), deadlineMs);
      await closed;
      cut.cancel();
      await features.close();
    },
  };
}

interface ServerState {
  servers: readonly Server[];
  draining: boolean;
}

type FeatureHttp = ReturnType<GatewayServices['features']['http']>;
type Access = ReturnType<typeof createAccess>;
type Router = ReturnType<typeof createRouter>;

interface RouteParts {
  readonly access: Access;
  readonly features: FeatureHttp;
  readonly basePath: string;
  draining(): boolean;
}

/** Every path this port answers: health, tools, what features and channels bring, the Control UI. */
function routesOf(
  { services, clock, uiDir }: GatewayServerOptions,
  { access, features, basePath, draining }: RouteParts,
): Router {
  const router = createRouter();
  const { status, descriptors, version } = services;
  mountHealth(router, { status, descriptors, version, draining, access });
  mountToolsInvoke(router, { services, access });
  for (const [path, methods] of Object.entries(features.at)) router.at(path, methods);
  for (const [prefix, methods] of Object.entries(features.under)) router.under(prefix, methods);
  router.lookUp((path) => {
    const handler = services.webhook(path);
    // A platform was given this very path by its owner; it proves itself its own way.
    return handler ? webhookMethods(handler, clock) : features.find(path);
  });
  if (!services.gatewayConfig().controlUi.enabled) return router;
  mountAvatars(router, { agents: services.agents, basePath });
  const { pages } = services.features;
  mountPages(router, pages, basePath);
  mountUi(router, { dir: uiDir, basePath, pages, assistantName: () => assistantName(services) });
  return router;
}

interface DoorParts {
  readonly options: GatewayServerOptions;
  readonly state: ServerState;
  readonly router: Router;
  readonly features: FeatureHttp;
  readonly access: Access;
  readonly caps: ReturnType<typeof createConnectionCaps>;
  rules(): GuardRules;
}

/** What becomes of each request and each upgrade that comes in. */
class ServerDoor {
  readonly #parts: DoorParts;
  readonly #log: Log;

  constructor(parts: DoorParts) {
    this.#parts = parts;
    this.#log = parts.options.services.log.child({ part: 'http' });
  }

  /** A server for one address, not listening yet. */
  createOne(): Server {
    const times = this.#parts.options.limits?.times ?? DEFAULT_WIRE_TIMES;
    const server = createServer({ ...times, maxHeaderSize: 16 * 1024 }, (req, res) => this.#serve(req, res));
    server.setTimeout(times.idleTimeout);
    server.on('upgrade', (req, socket, head) => this.#upgrade(req, socket, head));
    server.on('connection', this.#parts.caps.opened);
    server.on('clientError', (error: Error, socket: Socket) => refuseMalformed(socket, error));
    return server;
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    const { options, state, router, features, caps, rules } = this.#parts;
    caps.asked(req.socket);
    const request = openRequest(req, res, options.auth.clientAddress(req));
    setSecurityHeaders(res, request.id);
    // A connection that was busy when the drain began would else stay open until its keep-alive runs out.
    res.once('close', () => {
      if (state.draining) setImmediate(() => state.servers.forEach((server) => server.closeIdleConnections()));
    });
    try {
      // A platform calls by whatever name the proxy has; a page that could forge the call could not prove itself.
      if (!options.services.webhook(request.path) && !features.find(request.path)) checkRequest(request, rules());
      if (state.draining) refuseWork(request.method, res);
      if (!allowForeignPage(request, rules().allowedOrigins))
        void router.handle(request, (error) => this.#report(request, error));
    } catch (error) {
      this.#report(request, sendError(request, error));
    }
  }

  #upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { options, state, features, access, caps, rules } = this.#parts;
    // From here on nobody else listens: a reset must not end the process.
    socket.on('error', () => socket.destroy());
    try {
      checkRequest({ query: splitTarget(req.url ?? '/').query, headers: req.headers }, rules());
      if (state.draining) throw new AppError('unavailable', 'The gateway is shutting down.', { retryAfterMs: 2_000 });
      caps.asked(req.socket);
      const { path } = splitTarget(req.url ?? '/');
      const own = Object.hasOwn(features.upgrades, path) ? features.upgrades[path] : undefined;
      if (own) return acceptUpgrade(own, { req, socket, head }, access, options.auth);
      options.ws.handleUpgrade(req, socket, head, () => caps.proved(req.socket));
    } catch (error) {
      this.#log.debug('http.upgrade.refused', { error: refuseUpgrade(socket, error).message });
    }
  }

  #report(request: HttpRequest, error: AppError): void {
    const facts = {
      requestId: request.id,
      method: request.method,
      path: request.path,
      code: error.code,
      error: error.message,
    };
    if (error.code !== 'internal') return this.#log.debug('http.refused', facts);
    this.#log.error('http.failed', {
      ...facts,
      stack: error.cause instanceof Error ? error.cause.stack : error.stack,
    });
  }
}

/** The address a browser on this machine uses. */
function urlOf(plan: ReturnType<typeof planBind>, port: number, basePath: string): string {
  const host = plan.loopbackOnly || plan.host === '0.0.0.0' ? '127.0.0.1' : plan.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath === '/' ? '/' : `${basePath}/`}`;
}

/** Reading goes on during a drain; the connection ends with the answer, so that clients find the next gateway. */
function refuseWork(method: string, res: ServerResponse): void {
  res.setHeader('connection', 'close');
  if (method !== 'GET' && method !== 'HEAD')
    throw new AppError('unavailable', 'The gateway is shutting down. Try again in a moment.', { retryAfterMs: 2_000 });
}

/** What other machines on the network call this one. */
function localNames(): string[] {
  const name = machineName().toLowerCase();
  return [name, `${name}.local`];
}

function assistantName({ agents }: GatewayServices): string {
  const agent = agents.list().find(({ id }) => id === agents.defaultId());
  return agent?.identity?.name ?? agent?.name ?? PRODUCT_LABEL;
}
