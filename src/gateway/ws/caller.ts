/** Who is knocking, and what the door needs to decide. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../platform/clock.ts';
import type { ConnectChallenge } from '../../protocol/connect.ts';
import type { ClientAddress, GatewayAuth } from '../auth.ts';
import type { PairingRequest } from '../devices/paired-device.ts';
import type { DeviceStore } from '../devices/store.ts';
import type { GatewayServices } from '../services.ts';
import type { FailedLogins } from './failed-logins.ts';

export interface HandshakeDeps {
  readonly services: GatewayServices;
  readonly auth: GatewayAuth;
  readonly devices: DeviceStore;
  readonly failedLogins: FailedLogins;
  /** Told of every new request. */
  onPairingRequest(request: PairingRequest): void;
  readonly clock: Clock;
}

/** What is known before the client says anything. */
export interface Caller {
  readonly connId: string;
  readonly request: IncomingMessage;
  readonly address: ClientAddress;
  readonly challenge: ConnectChallenge;
}
