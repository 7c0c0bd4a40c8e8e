/**
 * Creates the gateway's server: authentication, WebSocket and HTTP on one port, with one count of failed logins for
 * both.
 */
import type { DeviceRegistry } from '../host/devices.ts';
import type { Clock } from '../platform/clock.ts';
import { machineName } from '../platform/machine-name.ts';
import { createGatewayAuth } from './auth.ts';
import type { GatewayConfig } from './config.ts';
import type { Secret } from './gateway-token.ts';
import { createGatewayServer } from './server.ts';
import type { GatewayServices } from './services.ts';
import { createFailedLogins } from './ws/failed-logins.ts';
import { createGatewayWs } from './ws/server.ts';

export interface GatewayParts {
  readonly services: GatewayServices;
  readonly devices: DeviceRegistry;
  readonly clock: Clock;
  /** As it is when the gateway opens. */
  readonly config: GatewayConfig;
  readonly secret: Secret;
  /** The built Control UI; may not exist. */
  readonly uiDir: string;
}

export function createGateway({ services, devices, clock, config, secret, uiDir }: GatewayParts) {
  const { token, password } = secret;
  const auth = createGatewayAuth({
    mode: config.auth.mode === 'password' ? 'password' : 'token',
    token,
    password,
    trustedProxies: config.trustedProxies,
    devices,
  });
  const failedLogins = createFailedLogins(clock);
  const ws = createGatewayWs({ services, auth, devices, clock, failedLogins, hostName: machineName() });
  const server = createGatewayServer({
    services,
    auth,
    clock,
    failedLogins,
    uiDir,
    secretConfigured: token !== undefined || password !== undefined,
    ws: { handleUpgrade: ws.handleUpgrade, close: () => ws.closeAll(1012, 'service restart') },
  });
  return { ws, server };
}
