/** Opens one server per planned address on the same port. If the port is in use, the error says by what. */
import { get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../core/errors.ts';
import { PRODUCT, PRODUCT_LABEL } from '../../core/product.ts';
import { errnoOf } from '../../platform/storage-error.ts';
import type { BindPlan } from './bind-plan.ts';

export interface Listening {
  readonly port: number;
  readonly servers: readonly Server[];
}

/** Attempts to find a port that is free on every address, when the system may choose. */
const FREE_PORT_ATTEMPTS = 5;
const PROBE_MS = 1_000;

/** Throws `AppError('conflict')` when the port is taken, `AppError('invalid')` when the address is not ours. */
export async function openServers(plan: BindPlan, port: number, createServer: () => Server): Promise<Listening> {
  for (let attempt = 1; ; attempt++) {
    const first = await listenOn(createServer(), plan.host, port);
    const chosen = (first.address() as AddressInfo).port;
    try {
      const others = await Promise.all(plan.also.map((host) => listenWherePossible(createServer(), host, chosen)));
      return { port: chosen, servers: [first, ...others.filter((server) => server !== undefined)] };
    } catch (error) {
      first.close();
      if (port !== 0 || attempt >= FREE_PORT_ATTEMPTS) throw error;
    }
  }
}

async function listenOn(server: Server, host: string, port: number): Promise<Server> {
  try {
    await listening(server, host, port);
    return server;
  } catch (error) {
    throw await listenError(error, host, port);
  }
}

/** Machines without IPv6 have no `::1`; that is no reason not to start. */
async function listenWherePossible(server: Server, host: string, port: number): Promise<Server | undefined> {
  try {
    await listening(server, host, port);
    return server;
  } catch (error) {
    if (errnoOf(error) === 'EADDRINUSE') throw await listenError(error, host, port);
    return undefined;
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function listenError(error: unknown, host: string, port: number): Promise<AppError> {
  const at = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  switch (errnoOf(error)) {
    case 'EADDRINUSE':
      return new AppError('conflict', `Port ${port} is taken (${at}): ${await holder(host, port)}`, {
        cause: error,
        details: { port },
      });
    case 'EACCES':
      return new AppError(
        'invalid',
        `Port ${port} needs more rights than this process has. Use a port above 1023: --port <n> or gateway.port.`,
        { cause: error, details: { port } },
      );
    case 'EADDRNOTAVAIL':
      return new AppError(
        'invalid',
        `${host} is not an address of this machine; check gateway.bind and gateway.customBindHost.`,
        { cause: error },
      );
    default:
      return new AppError(
        'unavailable',
        `Could not listen on ${at}: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
  }
}

/** Asks the program that listens there. */
async function holder(host: string, port: number): Promise<string> {
  const ours = await answersAsGateway(host === '0.0.0.0' ? '127.0.0.1' : host, port);
  const elsewhere = 'or choose another port with --port <n> or gateway.port.';
  if (ours)
    return (
      `another ${PRODUCT_LABEL} gateway uses it. Stop that gateway ("${PRODUCT} gateway status" shows it), ` +
      `${elsewhere}`
    );
  return (
    `another program uses it ("ss -ltnp 'sport = :${port}'" or "lsof -i :${port}" shows which). Stop it, ` +
    `${elsewhere}`
  );
}

function answersAsGateway(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host, port, path: '/healthz', timeout: PROBE_MS }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
        if (body.length > 4096) response.destroy();
      });
      response.on('close', () => resolve(body.includes(`"product":"${PRODUCT}"`)));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
