/** What the gateway remembers of a device, and the pure rules on top: what it may have, and what it must ask for. */
import { z } from 'zod';
import { scopesGrant, OPERATOR_SCOPES, type OperatorScope } from '../../core/principal.ts';
import type { PairingReason } from '../../protocol/errors.ts';

const text = z.string().min(1);

const deviceToken = z.object({
  token: text,
  scopes: z.array(text),
  createdAt: z.number(),
  rotatedAt: z.number().optional(),
});
export type DeviceToken = Readonly<z.output<typeof deviceToken>>;

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
  /** True: the device was paired before and asks for more. */
  isRepair: z.boolean(),
  /** Milliseconds since the epoch. */
  ts: z.number(),
});
export type PairingRequest = Readonly<z.output<typeof pairingRequest>>;

/** Who asks, and for what. */
export type PairingWish = Omit<PairingRequest, 'requestId' | 'isRepair' | 'ts'>;

/** Why a device must be approved before it may have this role and these scopes; undefined when it may already. */
export function missingApproval(device: PairedDevice | undefined, wish: { readonly role: string; readonly scopes: readonly string[] }): PairingReason | undefined {
  if (!device) return 'not-paired';
  if (!device.roles.includes(wish.role)) return 'role-upgrade';
  return coversScopes(device.scopes, wish.scopes) ? undefined : 'scope-upgrade';
}

/** Every scope asked for is granted by those held; scopes nobody knows are granted by nothing. */
export const coversScopes = (held: readonly string[], asked: readonly string[]): boolean =>
  asked.every((scope) => isScope(scope) && scopesGrant(held, scope));

export const isScope = (scope: string): scope is OperatorScope => (OPERATOR_SCOPES as readonly string[]).includes(scope);

/** The device after somebody agreed to the wish; a token it has already may do the new things too. */
export function approved(device: PairedDevice | undefined, wish: PairingWish, now: number): PairedDevice {
  const { role, scopes, ...who } = wish;
  const token = device?.tokens[role];
  return {
    ...device, ...who,
    roles: union(device?.roles, [role]),
    scopes: union(device?.scopes, scopes),
    tokens: { ...device?.tokens, ...(token ? { [role]: { ...token, scopes: union(token.scopes, scopes) } } : {}) },
    createdAt: device?.createdAt ?? now,
    approvedAt: now,
  };
}

const union = (a: readonly string[] = [], b: readonly string[]): string[] => [...new Set([...a, ...b])];

/** The device as `device.pair.list` shows it: without its secrets, times in the words of the wire. */
export function shownDevice({ tokens, createdAt, approvedAt, ...device }: PairedDevice): Record<string, unknown> {
  return {
    ...device, createdAtMs: createdAt, approvedAtMs: approvedAt,
    tokens: Object.entries(tokens).map(([role, token]) => ({
      role, scopes: token.scopes, createdAtMs: token.createdAt, ...(token.rotatedAt === undefined ? {} : { rotatedAtMs: token.rotatedAt }),
    })),
  };
}
