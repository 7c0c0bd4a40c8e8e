/** Paired devices and pending requests, stored in two private files. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../../core/log.ts';
import type { Principal } from '../../core/principal.ts';
import type { PairingAttempt } from '../../host/devices.ts';
import type { Clock } from '../../platform/clock.ts';
import { readBackedUp, writeBackedUp } from '../../platform/backed-up-file.ts';
import { createSerialQueue } from '../../platform/keyed-queue.ts';
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
  type Change,
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
  const files = { paired: join(dir, 'paired.json'), pending: join(dir, 'pending.json') };
  let state: Devices = {
    paired: await load(files.paired, z.record(z.string(), pairedDevice), { empty: {}, clock, log }),
    pending: await load(files.pending, z.array(pairingRequest), { empty: [], clock, log }),
  };
  const queue = createSerialQueue();

  /** One change at a time: computed from the newest state, on disk before it counts. */
  const change = <T>(compute: (devices: Devices, now: number) => Change<T>): Promise<T> =>
    queue.run(async () => {
      const [patch, result] = compute(state, clock.now());
      if (patch.paired) await writeBackedUp(files.paired, JSON.stringify(patch.paired, null, 2));
      if (patch.pending) await writeBackedUp(files.pending, JSON.stringify(patch.pending, null, 2));
      state = { ...state, ...patch };
      return result;
    });

  return {
    find: (deviceId) => findDevice(state, deviceId),
    paired: () => Object.values(state.paired),
    pending: () => livePending(state, clock.now()).sort((a, b) => b.ts - a.ts),
    request: (attempt) => change((devices, now) => requested(devices, attempt, now)),
    admit: (attempt) => change((devices, now) => admitted(devices, attempt, now)),
    approve: (requestId) => change((devices, now) => approvedRequest(devices, requestId, now)),
    reject: (requestId) => change((devices, now) => rejected(devices, requestId, now)),
    remove: (deviceId) => change((devices) => removed(devices, deviceId)),
    issueToken: (deviceId, role) => change((devices, now) => tokenIssued(devices, { deviceId, role }, now)),
    rotateToken: (target) => change((devices, now) => tokenRotated(devices, target, now)),
    revokeToken: (target) => change((devices) => tokenRevoked(devices, target)),

    checkToken({ deviceId, role, token }) {
      const known = findDevice(state, deviceId)?.tokens[role];
      return known && sameSecret(known.token, token) ? known : undefined;
    },

    principalOf(token) {
      for (const device of Object.values(state.paired)) {
        const known = device.tokens['operator'];
        if (known && sameSecret(known.token, token))
          return { kind: 'operator', id: device.deviceId, scopes: [...known.scopes] };
      }
      return undefined;
    },
  };
}

/**
 * A damaged file is set aside, never overwritten: its owner may want to see what was in it. Its last good copy takes
 * its place.
 */
async function load<T>(
  path: string,
  schema: z.ZodType<T>,
  { empty, clock, log }: { empty: T; clock: Clock; log: Log },
): Promise<T> {
  return (
    (await readBackedUp(path, {
      parse: (raw) => schema.safeParse(parseJson(raw)).data,
      now: clock.now(),
      damaged: (damage) => log.error('devices.corrupt', { ...damage }),
    })) ?? empty
  );
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Not JSON at all: the schema refuses `undefined`, and the file is set aside.
    return undefined;
  }
}
