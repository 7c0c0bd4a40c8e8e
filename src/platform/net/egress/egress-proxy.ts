/** The proxy of link commands: the guard checks every connection, which is pinned to the checked address. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { Reached } from '../../../core/understanding.ts';
import { createConnectionLimiter } from '../../connection-limiter.ts';
import { forward } from './egress-forward.ts';
import { createLease, type EgressLimits, type Lease } from './egress-lease.ts';
import type { Egress } from './egress-target.ts';
import { openTunnel } from './egress-tunnel.ts';
import type { NetGuard } from '../guard/guard.ts';
import type { Upstream } from '../route/user-proxy.ts';

/** A lease as its holder sees it: the environment to hand on, and what was reached. */
export interface EgressLease extends AsyncDisposable {
  /** What a child process needs in its environment to come here; holds the credential. */
  readonly env: Readonly<Record<string, string>>;
  reached(): readonly Reached[];
}

/** The proxy through which child processes reach the network, checked like our own requests. */
export interface EgressProxy {
  /** Starts the server when it is the first. */
  lease(): Promise<EgressLease>;
  /** Ends every lease and the server. */
  close(): Promise<void>;
}

/** What the proxy checks with and where it forwards to. */
export interface EgressDeps {
  readonly guard: NetGuard;
  readonly log: Log;
  readonly upstream: Upstream;
  readonly limits?: EgressLimits;
}

/** Connections without a lease; a new one over the limit closes the one that was silent longest. */
const MAX_WITHOUT_LEASE = 512;
const LIMITS: EgressLimits = { connections: 32, idleMs: 30_000 };
const ASK_FOR_CREDENTIAL = [
  'HTTP/1.1 407 Proxy Authentication Required',
  'Proxy-Authenticate: Basic realm="egress"',
  'Content-Length: 0',
  'Connection: close',
  '',
  '',
].join('\r\n');

/** Listens on 127.0.0.1, on a port of the system, while there is a lease. */
export function createEgressProxy({ guard, log, upstream, limits = LIMITS }: EgressDeps): EgressProxy {
  const leases = new Map<string, Lease>();
  const strangers = createConnectionLimiter<Socket>({
    total: () => MAX_WITHOUT_LEASE,
    perPlace: () => MAX_WITHOUT_LEASE,
    drop: (socket) => void socket.destroy(),
  });
  let running: Promise<Server> | undefined;

  /** Without a lease nobody is served: other programs of this machine reach the port too. */
  const egressOf = (request: IncomingMessage): Egress | undefined => {
    const lease = leaseOf(request, leases);
    if (lease) strangers.left(request.socket);
    return lease && { guard, log, upstream, lease };
  };
  const start = async (): Promise<Server> => {
    const server = createServer((request, response) => {
      const egress = egressOf(request);
      if (egress) void forward(request, response, egress);
      else refuseWithoutLease(request.socket);
    });
    server.on('connect', (request, socket, head) => {
      const egress = egressOf(request);
      if (egress) void openTunnel({ authority: request.url ?? '', socket: socket as Socket, head }, egress);
      else refuseWithoutLease(socket);
    });
    server.on('connection', (socket) => {
      strangers.joined(socket, '');
      socket.once('close', () => strangers.left(socket));
    });
    server.on('clientError', (_error, socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      server
        .once('error', reject)
        .listen({ host: '127.0.0.1', port: 0 }, () => resolve(void server.off('error', reject)));
    });
    return server;
  };
  const end = (lease: Lease): void => {
    leases.delete(lease.id);
    lease.end();
  };

  return {
    async lease() {
      running ??= start();
      const server = await running.catch((error: unknown) => {
        running = undefined;
        throw new AppError('unavailable', 'The egress proxy could not start on 127.0.0.1.', { cause: error });
      });
      const lease = createLease({ port: (server.address() as AddressInfo).port, limits });
      leases.set(lease.id, lease);
      return { env: lease.env, reached: lease.reached, [Symbol.asyncDispose]: async () => end(lease) };
    },
    async close() {
      for (const lease of leases.values()) end(lease);
      const server = await running;
      running = undefined;
      if (!server) return;
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function leaseOf(request: IncomingMessage, leases: ReadonlyMap<string, Lease>): Lease | undefined {
  const [, encoded = ''] = /^basic\s+([a-z0-9+/=]+)$/i.exec(request.headers['proxy-authorization'] ?? '') ?? [];
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  const lease = leases.get(id);
  return lease?.opens(secret) ? lease : undefined;
}

function refuseWithoutLease(socket: Duplex): void {
  socket.on('error', () => undefined).end(ASK_FOR_CREDENTIAL);
}
