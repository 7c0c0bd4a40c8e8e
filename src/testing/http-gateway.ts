/** The HTTP part of a gateway on a free port of 127.0.0.1, with fake services. */
import { present } from '../core/present.ts';
import { createGatewayAuth } from '../gateway/auth.ts';
import { gatewayConfigSchema } from '../gateway/config.ts';
import {
  createGatewayServer,
  type GatewayServer,
  type GatewayServerOptions,
  type WsEndpoint,
} from '../gateway/server.ts';
import { joinFeatures, type RunningFeature } from '../host/join-features.ts';
import { systemClock } from '../platform/clock.ts';
import type { Descriptors } from '../platform/descriptors.ts';
import { createFakeServices, type FakeServices } from './fake-services.ts';

export const TEST_TOKEN = 'test-token-1234567890';

export interface HttpGateway extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly services: FakeServices;
  readonly server: GatewayServer;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** With the token; `body` becomes JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

export interface HttpGatewayOptions extends Partial<Omit<GatewayServerOptions, 'services'>> {
  /** The `gateway` section; the port is free unless it says otherwise. */
  readonly gateway?: Record<string, unknown>;
  readonly features?: readonly RunningFeature[] | ((services: FakeServices) => readonly RunningFeature[]);
  readonly stateDir?: string;
  readonly descriptors?: Descriptors;
}

/** Refuses every upgrade. */
export const noWs: WsEndpoint = { handleUpgrade: (_req, socket) => void socket.destroy(), close: () => {} };

export async function startHttpGateway({
  gateway,
  features,
  stateDir,
  descriptors,
  ...options
}: HttpGatewayOptions = {}): Promise<HttpGateway> {
  const section = {
    port: 0,
    ...gateway,
  };
  const services = createFakeServices(present({ gateway: section, stateDir, descriptors }));
  Object.assign(services, {
    features: joinFeatures(typeof features === 'function' ? features(services) : (features ?? [])),
  });
  services.setGatewayConfig(gatewayConfigSchema.parse(section));
  const server = createGatewayServer({
    services,
    ws: noWs,
    clock: systemClock,
    uiDir: '/nonexistent/ui',
    secretConfigured: true,
    auth: createGatewayAuth({ mode: 'token', token: TEST_TOKEN }),
    ...options,
  });
  const { port } = await server.listen();
  const url = `http://127.0.0.1:${port}`;
  const fetchPath = (path: string, init?: RequestInit): Promise<Response> => fetch(url + path, init);
  return {
    url,
    port,
    services,
    server,
    fetch: fetchPath,
    post: (path, body, headers) =>
      fetchPath(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_TOKEN}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: () => server.close({ deadlineMs: 200 }),
  };
}
