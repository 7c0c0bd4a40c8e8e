/** The devices this gateway knows and the requests waiting for approval, kept in two private files. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../../core/log.ts';
import type { Principal } from '../../core/principal.ts';
import { coversScopes, missingApproval, type PairingWish } from '../../host/devices.ts';
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
  request(wish: PairingWish): Promise<{ request: PairingRequest; fresh: boolean }>;
  /** Agrees without anybody asking, for a device that knows the shared secret and sits on this machine. */
  admit(wish: PairingWish): Promise<PairedDevice>;
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
  const state: State = {
    paired: await load(files.paired, z.record(z.string(), pairedDevice), { empty: {}, clock, log }),
    pending: await load(files.pending, z.array(pairingRequest), { empty: [], clock, log }),
  };
  return new DeviceFiles({ files, clock, state });
}

interface DeviceFilesDeps {
  /** Absolute paths. */
  readonly files: Readonly<Record<keyof State, string>>;
  readonly clock: Clock;
  /** As the files have it. */
  readonly state: State;
}

/** What a change leaves in the files, and what it answers. */
type Change<T> = readonly [Partial<State>, T];

class DeviceFiles implements DeviceStore {
  readonly #deps: DeviceFilesDeps;
  #state: State;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: DeviceFilesDeps) {
    this.#deps = deps;
    this.#state = deps.state;
  }

  find(deviceId: string): PairedDevice | undefined {
    return Object.hasOwn(this.#state.paired, deviceId) ? this.#state.paired[deviceId] : undefined;
  }

  paired(): readonly PairedDevice[] {
    return Object.values(this.#state.paired);
  }

  pending(): readonly PairingRequest[] {
    return this.#live().sort((a, b) => b.ts - a.ts);
  }

  request(wish: PairingWish): Promise<{ request: PairingRequest; fresh: boolean }> {
    return this.#change(() => {
      const isSame = (other: PairingRequest): boolean => other.deviceId === wish.deviceId && other.role === wish.role;
      const open = this.#live().find((other) => isSame(other) && sameScopes(other.scopes, wish.scopes));
      const request: PairingRequest = {
        ...wish,
        requestId: open?.requestId ?? uuid(),
        isRepair: this.find(wish.deviceId) !== undefined,
        ts: this.#deps.clock.now(),
      };
      const others = this.#live().filter((other) => !isSame(other));
      return [{ pending: [...others, request].slice(-MAX_PENDING) }, { request, fresh: !open }];
    });
  }

  admit(wish: PairingWish): Promise<PairedDevice> {
    return this.#change(() => {
      const device = approved(this.find(wish.deviceId), wish, this.#deps.clock.now());
      return [this.#withDevice(device), device];
    });
  }

  approve(requestId: string): Promise<{ request: PairingRequest; device: PairedDevice } | undefined> {
    return this.#resolve(requestId, (request) => {
      const { requestId: _id, isRepair: _repair, ts: _ts, ...wish } = request;
      const device = approved(this.find(request.deviceId), wish, this.#deps.clock.now());
      return [this.#withDevice(device), { request, device }];
    });
  }

  reject(requestId: string): Promise<PairingRequest | undefined> {
    return this.#resolve(requestId, (request) => [{}, request]);
  }

  remove(deviceId: string): Promise<PairedDevice | undefined> {
    return this.#change(() => {
      const device = this.find(deviceId);
      if (!device) return [{}, undefined];
      const { [deviceId]: _gone, ...paired } = this.#state.paired;
      return [{ paired }, device];
    });
  }

  issueToken(deviceId: string, role: string): Promise<DeviceToken> {
    return this.#change(() => {
      const device = this.find(deviceId);
      if (!device || missingApproval(device, { role, scopes: [] }))
        throw new Error(`device ${deviceId} was never approved as ${role}`);
      const known = device.tokens[role];
      if (known) return [{}, known];
      const createdAt = this.#deps.clock.now();
      const token: DeviceToken = { token: randomToken(), scopes: scopesFor(device, role), createdAt };
      return [this.#withToken(device, role, token), token];
    });
  }

  rotateToken({ deviceId, role, scopes }: Parameters<DeviceStore['rotateToken']>[0]): Promise<DeviceToken | undefined> {
    return this.#change(() => {
      const device = this.find(deviceId);
      if (!device || missingApproval(device, { role, scopes: scopes ?? [] })) return [{}, undefined];
      const now = this.#deps.clock.now();
      const token: DeviceToken = {
        token: randomToken(),
        scopes: [...(scopes ?? scopesFor(device, role))],
        createdAt: device.tokens[role]?.createdAt ?? now,
        rotatedAt: now,
      };
      return [this.#withToken(device, role, token), token];
    });
  }

  revokeToken({ deviceId, role }: Parameters<DeviceStore['revokeToken']>[0]): Promise<boolean> {
    return this.#change(() => {
      const device = this.find(deviceId);
      if (!device?.tokens[role]) return [{}, false];
      const { [role]: _revoked, ...tokens } = device.tokens;
      const roles = device.roles.filter((other) => other !== role);
      return [this.#withDevice({ ...device, tokens, roles, ...(role === 'operator' ? { scopes: [] } : {}) }), true];
    });
  }

  checkToken({ deviceId, role, token }: Parameters<DeviceStore['checkToken']>[0]): DeviceToken | undefined {
    const known = this.find(deviceId)?.tokens[role];
    return known && sameSecret(known.token, token) ? known : undefined;
  }

  principalOf(token: string): Principal | undefined {
    for (const device of this.paired()) {
      const known = device.tokens['operator'];
      if (known && sameSecret(known.token, token))
        return { kind: 'operator', id: device.deviceId, scopes: [...known.scopes] };
    }
    return undefined;
  }

  #live(): PairingRequest[] {
    return this.#state.pending.filter((request) => this.#deps.clock.now() - request.ts < REQUEST_TTL_MS);
  }

  /** One change at a time: computed from the newest state, on disk before it counts. */
  #change<T>(compute: () => Change<T>): Promise<T> {
    const { files } = this.#deps;
    const run = this.#last.then(async () => {
      const [patch, result] = compute();
      if (patch.paired) await writeKept(files.paired, JSON.stringify(patch.paired, null, 2));
      if (patch.pending) await writeKept(files.pending, JSON.stringify(patch.pending, null, 2));
      this.#state = { ...this.#state, ...patch };
      return result;
    });
    // Who asked for a change hears of its failure; the next one begins from the state that stands.
    this.#last = Promise.allSettled([run]);
    return run;
  }

  /** The request leaves the list with what was decided on it. Undefined: it is not open any more. */
  #resolve<T>(requestId: string, decide: (request: PairingRequest) => Change<T>): Promise<T | undefined> {
    return this.#change<T | undefined>(() => {
      const request = this.#live().find((other) => other.requestId === requestId);
      if (!request) return [{}, undefined];
      const [patch, result] = decide(request);
      return [{ ...patch, pending: this.#live().filter((other) => other !== request) }, result];
    });
  }

  #withDevice(device: PairedDevice): Partial<State> {
    return { paired: { ...this.#state.paired, [device.deviceId]: device } };
  }

  #withToken(device: PairedDevice, role: string, token: DeviceToken): Partial<State> {
    return this.#withDevice({ ...device, tokens: { ...device.tokens, [role]: token } });
  }
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
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Not JSON at all: the schema refuses `undefined`, and the file is set aside.
    return undefined;
  }
}
