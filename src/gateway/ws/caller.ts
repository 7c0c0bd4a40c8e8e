/** The facts of a connecting client that the handshake needs. */
import type { DeviceRegistry } from '../../host/devices.ts';
import type { ClientAddress } from '../../host/http/surface.ts';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../platform/clock.ts';
import type { ConnectChallenge } from '../../protocol/answers/system.ts';
import type { GatewayAuth } from '../auth.ts';
import type { GatewayServices } from '../services.ts';
import type { FailedLogins } from './failed-logins.ts';

export interface HandshakeDeps {
  readonly services: GatewayServices;
  readonly auth: GatewayAuth;
  readonly devices: DeviceRegistry;
  readonly failedLogins: FailedLogins;
  readonly clock: Clock;
}

/** What is known before the client says anything. */
export interface Caller {
  readonly connId: string;
  readonly request: IncomingMessage;
  readonly address: ClientAddress;
  readonly challenge: ConnectChallenge;
}
