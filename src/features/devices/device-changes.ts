/** Changes of devices and their requests: each returns the new state and its result. */
import type { PairingChange } from '../../host/pairing-files.ts';
import { present } from '../../core/present.ts';
import { coversScopes, missingApproval, type PairingAttempt } from '../../host/devices.ts';
import { randomToken, uuid } from '../../platform/ids.ts';
import { approved, type DeviceToken, type PairedDevice, type PairingRequest } from './paired-device.ts';

const REQUEST_TTL_MS = 5 * 60_000;
const MAX_PENDING = 50;

/** All that is kept. */
export interface Devices {
  readonly paired: Readonly<Record<string, PairedDevice>>;
  readonly pending: readonly PairingRequest[];
}

/** What is replaced, and what whoever asked for it is told. */
export type Change<T> = PairingChange<Devices, T>;

/** A device in one role. */
interface InRole {
  readonly deviceId: string;
  readonly role: string;
}

export const findDevice = ({ paired }: Devices, deviceId: string): PairedDevice | undefined =>
  Object.hasOwn(paired, deviceId) ? paired[deviceId] : undefined;

/** Expired ones left out. */
export const livePending = ({ pending }: Devices, now: number): PairingRequest[] =>
  pending.filter((request) => now - request.ts < REQUEST_TTL_MS);

export function requested(
  devices: Devices,
  attempt: PairingAttempt,
  now: number,
): Change<{ request: PairingRequest; fresh: boolean }> {
  const { deviceId, role, scopes } = attempt;
  const live = livePending(devices, now);
  const open = live.find(
    (other) => other.deviceId === deviceId && other.role === role && sameScopes(other.scopes, scopes),
  );
  const request: PairingRequest = {
    ...attempt,
    requestId: open?.requestId ?? uuid(),
    isRepair: findDevice(devices, deviceId) !== undefined,
    ts: now,
  };
  const others = live.filter((other) => other.deviceId !== deviceId || other.role !== role);
  return [{ pending: [...others, request].slice(-MAX_PENDING) }, { request, fresh: !open }];
}

export function admitted(devices: Devices, attempt: PairingAttempt, now: number): Change<PairedDevice> {
  const device = approved(findDevice(devices, attempt.deviceId), attempt, now);
  return [withDevice(devices, device), device];
}

export function approvedRequest(
  devices: Devices,
  requestId: string,
  now: number,
): Change<{ request: PairingRequest; device: PairedDevice } | undefined> {
  const request = livePending(devices, now).find((other) => other.requestId === requestId);
  if (!request) return [{}, undefined];
  const { requestId: _id, isRepair: _repair, ts: _ts, ...attempt } = request;
  const device = approved(findDevice(devices, request.deviceId), attempt, now);
  return [
    { ...withDevice(devices, device), pending: without(devices, request, now) },
    { request, device },
  ];
}

export function rejected(devices: Devices, requestId: string, now: number): Change<PairingRequest | undefined> {
  const request = livePending(devices, now).find((other) => other.requestId === requestId);
  return request ? [{ pending: without(devices, request, now) }, request] : [{}, undefined];
}

export function removed(devices: Devices, deviceId: string): Change<PairedDevice | undefined> {
  const device = findDevice(devices, deviceId);
  if (!device) return [{}, undefined];
  const { [deviceId]: _gone, ...paired } = devices.paired;
  return [{ paired }, device];
}

export function tokenIssued(devices: Devices, { deviceId, role }: InRole, now: number): Change<DeviceToken> {
  const device = findDevice(devices, deviceId);
  if (!device || missingApproval(device, { role, scopes: [] }))
    throw new Error(`device ${deviceId} was never approved as ${role}`);
  const known = device.tokens[role];
  if (known) return [{}, known];
  const token: DeviceToken = { token: randomToken(), scopes: scopesFor(device, role), createdAt: now };
  return [withToken(devices, device, role, token), token];
}

export function tokenRotated(
  devices: Devices,
  { deviceId, role, scopes }: InRole & { readonly scopes?: readonly string[] | undefined },
  now: number,
): Change<DeviceToken | undefined> {
  const device = findDevice(devices, deviceId);
  if (!device || missingApproval(device, { role, scopes: scopes ?? [] })) return [{}, undefined];
  const token: DeviceToken = {
    token: randomToken(),
    scopes: [...(scopes ?? scopesFor(device, role))],
    createdAt: device.tokens[role]?.createdAt ?? now,
    rotatedAt: now,
  };
  return [withToken(devices, device, role, token), token];
}

export function tokenRevoked(devices: Devices, { deviceId, role }: InRole): Change<boolean> {
  const device = findDevice(devices, deviceId);
  if (!device?.tokens[role]) return [{}, false];
  const { [role]: _revoked, ...tokens } = device.tokens;
  const revoked = {
    ...device,
    tokens,
    roles: device.roles.filter((other) => other !== role),
    ...present({ scopes: role === 'operator' ? [] : undefined }),
  };
  return [withDevice(devices, revoked), true];
}

const withDevice = ({ paired }: Devices, device: PairedDevice): Partial<Devices> => ({
  paired: { ...paired, [device.deviceId]: device },
});

const withToken = (devices: Devices, device: PairedDevice, role: string, token: DeviceToken): Partial<Devices> =>
  withDevice(devices, { ...device, tokens: { ...device.tokens, [role]: token } });

const without = (devices: Devices, request: PairingRequest, now: number): PairingRequest[] =>
  livePending(devices, now).filter((other) => other !== request);

const sameScopes = (a: readonly string[], b: readonly string[]): boolean => coversScopes(a, b) && coversScopes(b, a);

/** Scopes belong to the operator role; a node has none. */
const scopesFor = (device: PairedDevice, role: string): string[] => (role === 'operator' ? [...device.scopes] : []);
