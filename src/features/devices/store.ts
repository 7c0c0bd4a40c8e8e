/** Paired devices and pending requests, stored in two private files. */
import { z } from 'zod';
import type { Log } from '../../core/log.ts';
import type { Principal } from '../../core/principal.ts';
import type { PairingAttempt } from '../../host/devices.ts';
import { openPairingFiles } from '../../host/pairing-files.ts';
import type { Clock } from '../../platform/clock.ts';
import { sameSecret } from '../../platform/same-secret.ts';
import {
  admitted,
  approvedRequest,
  findDevice,
  livePending,
  rejected,
  removed,
  requested,
  tokenIssued,
  tokenRevoked,
  tokenRotated,
  type Devices,
} from './device-changes.ts';
import {
  pairedDevice,
  pairingRequest,
  type DeviceToken,
  type PairedDevice,
  type PairingRequest,
} from './paired-device.ts';

export interface DeviceStore {
  find(deviceId: string): PairedDevice | undefined;
  paired(): readonly PairedDevice[];
  /** Newest first, expired ones left out. */
  pending(): readonly PairingRequest[];
  /** Asks for approval; the same request again refreshes the open one. `fresh`: nobody was notified of it yet. */
  request(attempt: PairingAttempt): Promise<{ request: PairingRequest; fresh: boolean }>;
  /** Agrees without anybody asking, for a device that knows the shared secret and sits on this machine. */
  admit(attempt: PairingAttempt): Promise<PairedDevice>;
  approve(requestId: string): Promise<{ request: PairingRequest; device: PairedDevice } | undefined>;
  reject(requestId: string): Promise<PairingRequest | undefined>;
  remove(deviceId: string): Promise<PairedDevice | undefined>;
  /** The token of the role; made when there is none. */
  issueToken(deviceId: string, role: string): Promise<DeviceToken>;
  /** A new token; the old one is dead. Undefined: no such device or role, or scopes nobody approved. */
  rotateToken(target: {
    deviceId: string;
    role: string;
    scopes?: readonly string[] | undefined;
  }): Promise<DeviceToken | undefined>;
  revokeToken(target: { deviceId: string; role: string }): Promise<boolean>;
  /** The token's record when it is the device's own for this role; constant time. */
  checkToken(presented: { deviceId: string; role: string; token: string }): DeviceToken | undefined;
  /** What an operator token may do over HTTP. */
  principalOf(token: string): Principal | undefined;
}

export interface DeviceStoreDeps {
  /** Absolute. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Log;
}

export async function openDeviceStore({ dir, clock, log }: DeviceStoreDeps): Promise<DeviceStore> {
  const { state, change } = await openPairingFiles<Devices>({
    dir,
    clock,
    log,
    schemas: { paired: z.record(z.string(), pairedDevice), pending: z.array(pairingRequest) },
    empty: { paired: {}, pending: [] },
    damagedEvent: 'devices.corrupt',
  });

  return {
    find: (deviceId) => findDevice(state(), deviceId),
    paired: () => Object.values(state().paired),
    pending: () => livePending(state(), clock.now()).sort((a, b) => b.ts - a.ts),
    request: (attempt) => change((devices, now) => requested(devices, attempt, now)),
    admit: (attempt) => change((devices, now) => admitted(devices, attempt, now)),
    approve: (requestId) => change((devices, now) => approvedRequest(devices, requestId, now)),
    reject: (requestId) => change((devices, now) => rejected(devices, requestId, now)),
    remove: (deviceId) => change((devices) => removed(devices, deviceId)),
    issueToken: (deviceId, role) => change((devices, now) => tokenIssued(devices, { deviceId, role }, now)),
    rotateToken: (target) => change((devices, now) => tokenRotated(devices, target, now)),
    revokeToken: (target) => change((devices) => tokenRevoked(devices, target)),

    checkToken({ deviceId, role, token }) {
      const known = findDevice(state(), deviceId)?.tokens[role];
      return known && sameSecret(known.token, token) ? known : undefined;
    },

    principalOf(token) {
      for (const device of Object.values(state().paired)) {
        const known = device.tokens['operator'];
        if (known && sameSecret(known.token, token))
          return { kind: 'operator', id: device.deviceId, scopes: [...known.scopes] };
      }
      return undefined;
    },
  };
}
