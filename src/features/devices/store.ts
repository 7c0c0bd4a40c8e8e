/** The devices this gateway knows and the requests waiting for approval, kept in two private files. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { Principal } from '../../core/principal.ts';
import { coversScopes, missingApproval, type PairingAttempt } from '../../host/devices.ts';
import type { Clock } from '../../platform/clock.ts';
import { readKept, writeKept } from '../../platform/kept-file.ts';
import { randomToken, uuid } from '../../platform/ids.ts';
import { sameSecret } from '../../platform/same-secret.ts';
import {
  approved,
  pairedDevice,
  pairingRequest,
  type DeviceToken,
  type PairedDevice,
  type PairingRequest,
} from './paired-device.ts';

const REQUEST_TTL_MS = 5 * 60_000;
const MAX_PENDING = 50;

export interface DeviceStore {
  find(deviceId: string): PairedDevice | undefined;
  paired(): readonly PairedDevice[];
  /** Newest first, expired ones left out. */
  pending(): readonly PairingRequest[];
  /** Asks for approval; the same wish again refreshes the open request. `fresh`: nobody was told of it yet. */
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
  checkToken(given: { deviceId: string; role: string; token: string }): DeviceToken | undefined;
  /** What an operator token may do over HTTP. */
  principalOf(token: string): Principal | undefined;
}

interface State {
  readonly paired: Readonly<Record<string, PairedDevice>>;
  readonly pending: readonly PairingRequest[];
}

export interface DeviceStoreDeps {
  /** Absolute. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Log;
}

export async function openDeviceStore({ dir, clock, log }: DeviceStoreDeps): Promise<DeviceStore> {
  const files = { paired: join(dir, 'paired.json'), pending: join(dir, 'pending.json') };
  let state: State = {
    paired: await load(files.paired, z.record(z.string(), pairedDevice), { empty: {}, clock, log }),
    pending: await load(files.pending, z.array(pairingRequest), { empty: [], clock, log }),
  };
  let last: Promise<unknown> = Promise.resolve();

  const live = (): PairingRequest[] => state.pending.filter((request) => clock.now() - request.ts < REQUEST_TTL_MS);

  /** One change at a time: computed from the newest state, on disk before it counts. */
  function change<T>(compute: () => readonly [Partial<State>, T]): Promise<T> {
    const run = last.then(async () => {
      const [patch, result] = compute();
      if (patch.paired) await writeKept(files.paired, JSON.stringify(patch.paired, null, 2));
      if (patch.pending) await writeKept(files.pending, JSON.stringify(patch.pending, null, 2));
      state = { ...state, ...patch };
      return result;
    });
    // Who asked for a change hears of its failure; the next one begins from the state that stands.
    last = Promise.allSettled([run]);
    return run;
  }

  const withDevice = (device: PairedDevice): Partial<State> => ({
    paired: { ...state.paired, [device.deviceId]: device },
  });
  const withToken = (device: PairedDevice, role: string, token: DeviceToken): Partial<State> =>
    withDevice({ ...device, tokens: { ...device.tokens, [role]: token } });
  const find = (deviceId: string): PairedDevice | undefined =>
    Object.hasOwn(state.paired, deviceId) ? state.paired[deviceId] : undefined;
  const without = (request: PairingRequest): PairingRequest[] => live().filter((other) => other !== request);

  return {
    find,
    paired: () => Object.values(state.paired),
    pending: () => live().sort((a, b) => b.ts - a.ts),

    request: (attempt) =>
      change(() => {
        const open = live().find(
          (other) =>
            other.deviceId === attempt.deviceId &&
            other.role === attempt.role &&
            sameScopes(other.scopes, attempt.scopes),
        );
        const request: PairingRequest = {
          ...attempt,
          requestId: open?.requestId ?? uuid(),
          isRepair: find(attempt.deviceId) !== undefined,
          ts: clock.now(),
        };
        const others = live().filter((other) => other.deviceId !== attempt.deviceId || other.role !== attempt.role);
        return [{ pending: [...others, request].slice(-MAX_PENDING) }, { request, fresh: !open }];
      }),

    admit: (attempt) =>
      change(() => {
        const device = approved(find(attempt.deviceId), attempt, clock.now());
        return [withDevice(device), device];
      }),

    approve: (requestId) =>
      change(() => {
        const request = live().find((other) => other.requestId === requestId);
        if (!request) return [{}, undefined];
        const { requestId: _id, isRepair: _repair, ts: _ts, ...attempt } = request;
        const device = approved(find(request.deviceId), attempt, clock.now());
        return [
          { ...withDevice(device), pending: without(request) },
          { request, device },
        ];
      }),

    reject: (requestId) =>
      change(() => {
        const request = live().find((other) => other.requestId === requestId);
        return request ? [{ pending: without(request) }, request] : [{}, undefined];
      }),

    remove: (deviceId) =>
      change(() => {
        const device = find(deviceId);
        if (!device) return [{}, undefined];
        const { [deviceId]: _gone, ...paired } = state.paired;
        return [{ paired }, device];
      }),

    issueToken: (deviceId, role) =>
      change(() => {
        const device = find(deviceId);
        if (!device || missingApproval(device, { role, scopes: [] }))
          throw new Error(`device ${deviceId} was never approved as ${role}`);
        const known = device.tokens[role];
        if (known) return [{}, known];
        const token: DeviceToken = { token: randomToken(), scopes: scopesFor(device, role), createdAt: clock.now() };
        return [withToken(device, role, token), token];
      }),

    rotateToken: ({ deviceId, role, scopes }) =>
      change(() => {
        const device = find(deviceId);
        if (!device || missingApproval(device, { role, scopes: scopes ?? [] })) return [{}, undefined];
        const now = clock.now();
        const token: DeviceToken = {
          token: randomToken(),
          scopes: [...(scopes ?? scopesFor(device, role))],
          createdAt: device.tokens[role]?.createdAt ?? now,
          rotatedAt: now,
        };
        return [withToken(device, role, token), token];
      }),

    revokeToken: ({ deviceId, role }) =>
      change(() => {
        const device = find(deviceId);
        if (!device?.tokens[role]) return [{}, false];
        const { [role]: _revoked, ...tokens } = device.tokens;
        return [
          withDevice({
            ...device,
            tokens,
            roles: device.roles.filter((other) => other !== role),
            ...present({ scopes: role === 'operator' ? [] : undefined }),
          }),
          true,
        ];
      }),

    checkToken({ deviceId, role, token }) {
      const known = find(deviceId)?.tokens[role];
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

const sameScopes = (a: readonly string[], b: readonly string[]): boolean => coversScopes(a, b) && coversScopes(b, a);

/** Scopes belong to the operator role; a node has none. */
const scopesFor = (device: PairedDevice, role: string): string[] => (role === 'operator' ? [...device.scopes] : []);

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
    (await readKept(path, {
      parse: (raw) => schema.safeParse(parseJson(raw)).data,
      now: clock.now(),
      damaged: (damage) => log.error('devices.corrupt', { ...damage }),
    })) ?? empty
  );
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    // Not JSON at all: the schema refuses `undefined`, and the file is set aside.
    return undefined;
  }
}
