/** A paired device: its stored data, its approval, and its public view. */
import { z } from 'zod';
import { present } from '../../core/present.ts';
import type { WireDevice } from './answers.ts';
import type { PairingAttempt } from '../../host/devices.ts';

const text = z.string().min(1);

const deviceToken = z.object({
  token: text,
  scopes: z.array(text),
  createdAt: z.number(),
  rotatedAt: z.number().optional(),
});

const facts = {
  deviceId: text,
  publicKey: text,
  displayName: text.optional(),
  platform: text.optional(),
  deviceFamily: text.optional(),
  clientId: text.optional(),
  clientMode: text.optional(),
  remoteIp: text.optional(),
};

export type DeviceToken = Readonly<z.output<typeof deviceToken>>;

export const pairedDevice = z.object({
  ...facts,
  roles: z.array(text),
  /** Operator scopes somebody agreed to. */
  scopes: z.array(text),
  /** By role. */
  tokens: z.record(z.string(), deviceToken),
  createdAt: z.number(),
  approvedAt: z.number(),
});
export type PairedDevice = Readonly<z.output<typeof pairedDevice>>;

export const pairingRequest = z.object({
  ...facts,
  requestId: text,
  role: text,
  scopes: z.array(text),
  /** True: the device is already paired and requests more rights. */
  isRepair: z.boolean(),
  /** Milliseconds since the epoch. */
  ts: z.number(),
});
export type PairingRequest = Readonly<z.output<typeof pairingRequest>>;

/** The device after somebody agreed to the request; a token it has already may do the new things too. */
export function approved(device: PairedDevice | undefined, attempt: PairingAttempt, now: number): PairedDevice {
  const { role, scopes, ...who } = attempt;
  const token = device?.tokens[role];
  return {
    ...device,
    ...who,
    roles: union(device?.roles, [role]),
    scopes: union(device?.scopes, scopes),
    tokens: { ...device?.tokens, ...(token ? { [role]: { ...token, scopes: union(token.scopes, scopes) } } : {}) },
    createdAt: device?.createdAt ?? now,
    approvedAt: now,
  };
}

const union = (a: readonly string[] = [], b: readonly string[]): string[] => [...new Set([...a, ...b])];

/** The device as `device.pair.list` shows it: without its secrets, times in the words of the wire. */
export function shownDevice({ tokens, createdAt, approvedAt, ...device }: PairedDevice): WireDevice {
  return {
    ...device,
    createdAtMs: createdAt,
    approvedAtMs: approvedAt,
    tokens: Object.entries(tokens).map(([role, token]) =>
      present({ role, scopes: token.scopes, createdAtMs: token.createdAt, rotatedAtMs: token.rotatedAt }),
    ),
  };
}
