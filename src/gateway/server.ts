/** The gateway's port: HTTP routes and WebSocket upgrades behind one guard, opened and closed together. */
import type { HttpRequest } from '../host/http/surface.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../core/errors.ts';
import { PRODUCT_LABEL } from '../core/product.ts';
import type { Log } from '../core/log.ts';
import type { FeatureSurface } from '../host/join-features.ts';
import type { Clock } from '../platform/clock.ts';
import { machineName } from '../platform/machine-name.ts';
import { tailnetAddress } from '../platform/tailnet.ts';
import type { GatewayAuth } from './auth.ts';
import { createAccess } from './http/access.ts';
import { mountAvatars } from './http/avatar.ts';
import { planBind } from './http/bind-plan.ts';
import { createConnectionCaps, type CapLimits } from './http/connection-caps.ts';
import { createConnectionBudget } from './http/connection-budget.ts';
import { checkRequest, checkWorker, type GuardRules } from './http/guard.ts';
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
  /** A token or password is set; without one, only local callers are admitted. */
  readonly secretConfigured: boolean;
  /** Shared with WebSocket, so that failed attempts on both are counted together. */
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

export const createGatewayServer = (options: GatewayServerOptions): GatewayServer => new OpenPort(options);

class OpenPort implements GatewayServer {
  readonly #options: GatewayServerOptions;
  readonly #log: Log;
  readonly #basePath: string;
  readonly #port: number;
  readonly #plan: ReturnType<typeof planBind>;
  readonly #hostNames: readonly string[];
  readonly #caps: ReturnType<typeof createConnectionCaps>;
  readonly #access: ReturnType<typeof createAccess>;
  readonly #router = createRouter();
  readonly #features: ReturnType<FeatureSurface['http']>;
  #servers: readonly Server[] = [];
  #draining = false;

  constructor(options: GatewayServerOptions) {
    const { services, auth, clock, limits = {} } = options;
    const { controlUi, port, ...bindConfig } = services.gatewayConfig();
    this.#options = options;
    this.#port = port;
    this.#log = services.log.child({ part: 'http' });
    this.#basePath = normaliseBasePath(controlUi.basePath);
    this.#plan = planBind({ config: bindConfig, secretConfigured: options.secretConfigured, tailnetAddress });
    this.#hostNames = this.#plan.loopbackOnly ? [] : localNames();
    this.#caps = createConnectionCaps({
      limits: limits.connections,
      proxies: bindConfig.trustedProxies,
      perPlace: createConnectionBudget(services.descriptors, clock),
    });
    const failedLogins = options.failedLogins ?? createFailedLogins(clock);
    this.#access = createAccess({ auth, failedLogins, proved: this.#caps.proved });
    const programs = createProgramCallers({
      auth,
      failedLogins,
      proved: this.#caps.proved,
      allowedOrigins: () => this.#rules().allowedOrigins,
    });
    this.#mountOwn();
    this.#features = services.features.http({ access: this.#access, programs });
    this.#mountFeatures();
    if (controlUi.enabled) this.#mountControlUi();
  }

  #mountOwn(): void {
    const { services } = this.#options;
    mountHealth(this.#router, {
      status: services.status,
      storage: services.storage,
      descriptors: services.descriptors,
      version: services.version,
      draining: () => this.#draining,
      access: this.#access,
    });
    mountToolsInvoke(this.#router, { services, access: this.#access });
  }

  #mountFeatures(): void {
    const { services, clock } = this.#options;
    const features = this.#features;
    for (const [path, methods] of Object.entries(features.at)) this.#router.at(path, methods);
    for (const [prefix, methods] of Object.entries(features.under)) this.#router.under(prefix, methods);
    this.#router.lookup((path) => {
      const handler = services.webhook(path);
      // A platform was given this very path by its owner; it proves itself its own way.
      return handler ? webhookMethods(handler, clock) : features.find(path);
    });
  }

  #mountControlUi(): void {
    const { services, uiDir } = this.#options;
    const { pages } = services.features;
    const basePath = this.#basePath;
    mountAvatars(this.#router, { agents: services.agents, basePath });
    mountPages(this.#router, pages, basePath);
    const external = (): boolean => services.gatewayConfig().controlUi.allowExternalEmbedUrls;
    mountUi(this.#router, {
      dir: uiDir,
      basePath,
      pages,
      assistantName: () => assistantName(services),
      frames: () => [...this.#features.frames(), ...(external() ? ['https:'] : [])],
    });
  }

  #rules(): GuardRules {
    return {
      loopbackOnly: this.#plan.loopbackOnly,
      hostNames: this.#hostNames,
      allowedOrigins: this.#options.services.gatewayConfig().controlUi.allowedOrigins,
    };
  }

  #report(request: HttpRequest, error: AppError): void {
    const facts = {
      requestId: request.id,
      method: request.method,
      path: request.path,
      code: error.code,
      error: error.message,
    };
    const stack = error.cause instanceof Error ? error.cause.stack : error.stack;
    if (error.code === 'internal') this.#log.error('http.failed', { ...facts, stack });
    else this.#log.debug('http.refused', facts);
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    const { services, auth } = this.#options;
    this.#caps.requested(req.socket);
    const request = openRequest(req, res, auth.clientAddress(req));
    setSecurityHeaders(res, request.id);
    // A connection that was busy when the drain began would else stay open until its keep-alive runs out.
    res.once('close', () => {
      if (this.#draining) setImmediate(() => this.#servers.forEach((server) => server.closeIdleConnections()));
    });
    try {
      checkWorker(request, this.#basePath, this.#features.workers);
      const rules = this.#rules();
      // A platform calls by whatever name the proxy has; a page that could forge the call could not prove itself.
      if (!services.webhook(request.path) && !this.#features.find(request.path)) checkRequest(request, rules);
      if (this.#draining) refuseWork(request.method, res);
      if (!allowForeignPage(request, rules.allowedOrigins))
        void this.#router.handle(request, (error) => this.#report(request, error));
    } catch (error) {
      this.#report(request, sendError(request, error));
    }
  }

  #upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { auth, ws } = this.#options;
    const { upgrades } = this.#features;
    // From here on nobody else listens: a reset must not end the process.
    socket.on('error', () => socket.destroy());
    try {
      const { path, query } = splitTarget(req.url ?? '/');
      const open = this.#features.findUpgrade(path);
      if (!open) checkRequest({ query, headers: req.headers }, this.#rules());
      if (this.#draining) throw new AppError('unavailable', 'The gateway is shutting down.', { retryAfterMs: 2_000 });
      this.#caps.requested(req.socket);
      if (open) return open.accept({ req, socket, head });
      const own = Object.hasOwn(upgrades, path) ? upgrades[path] : undefined;
      if (own) return acceptUpgrade(own, { req, socket, head }, this.#access, auth);
      ws.handleUpgrade(req, socket, head, () => this.#caps.proved(req.socket));
    } catch (error) {
      this.#log.debug('http.upgrade.refused', { error: refuseUpgrade(socket, error).message });
    }
  }

  #createOne(): Server {
    const times = this.#options.limits?.times ?? DEFAULT_WIRE_TIMES;
    const server = createServer({ ...times, maxHeaderSize: 16 * 1024 }, (req, res) => this.#serve(req, res));
    server.setTimeout(times.idleTimeout);
    server.on('upgrade', (req, socket, head) => this.#upgrade(req, socket, head));
    server.on('connection', this.#caps.opened);
    server.on('clientError', (error: Error, socket: Socket) => refuseMalformed(socket, error));
    return server;
  }

  async listen(): Promise<{ readonly port: number; readonly urls: readonly string[] }> {
    const plan = this.#plan;
    const opened = await openServers(plan, this.#port, () => this.#createOne());
    this.#servers = opened.servers;
    const host = plan.loopbackOnly || plan.host === '0.0.0.0' ? '127.0.0.1' : plan.host;
    const path = this.#basePath === '/' ? '/' : `${this.#basePath}/`;
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${opened.port}${path}`;
    this.#log.info('http.listening', { port: opened.port, hosts: [plan.host, ...plan.also] });
    return { port: opened.port, urls: [url] };
  }

  beginDrain(): void {
    this.#draining = true;
  }

  async close({ deadlineMs = CLOSE_DEADLINE_MS }: { readonly deadlineMs?: number } = {}): Promise<void> {
    const { ws, clock } = this.#options;
    this.#draining = true;
    const servers = this.#servers;
    const closed = Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
    await ws.close();
    const cut = clock.setTimeout(() => servers.forEach((server) => server.closeAllConnections()), deadlineMs);
    await closed;
    cut.cancel();
    await this.#features.close();
  }
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
