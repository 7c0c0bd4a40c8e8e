/** The devices interface for authentication: devices by key, with their approved rights. */
import { AppError } from '../core/errors.ts';
import { OPERATOR_SCOPES, scopesGrant, type OperatorScope, type Principal } from '../core/principal.ts';
import type { PairingReason } from '../protocol/errors.ts';

/** What a paired device proves itself with; times are milliseconds since the epoch. */
export interface DeviceToken {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly rotatedAt?: number | undefined;
}

/** An approved device, with its rights. */
export interface KnownDevice {
  readonly displayName?: string | undefined;
  readonly roles: readonly string[];
  /** Operator scopes somebody agreed to. */
  readonly scopes: readonly string[];
  /** By role. */
  readonly tokens: Readonly<Record<string, DeviceToken>>;
}

/** Who asks, and for what. */
export interface PairingAttempt {
  readonly deviceId: string;
  readonly publicKey: string;
  readonly displayName?: string | undefined;
  readonly platform?: string | undefined;
  readonly deviceFamily?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientMode?: string | undefined;
  readonly remoteIp?: string | undefined;
  readonly role: string;
  readonly scopes: string[];
}

/** Connections that must end. */
export interface Revoked {
  readonly deviceId: string;
  /** Absent: in every role. */
  readonly role?: string | undefined;
  readonly reason: string;
}

/** The devices the gateway knows, for the handshake; a feature keeps them. */
export interface DeviceRegistry {
  find(deviceId: string): KnownDevice | undefined;
  /** Asks for approval; the same request again refreshes the open one. */
  request(attempt: PairingAttempt): Promise<{ readonly requestId: string; readonly deviceId: string }>;
  /** Agrees without anybody asking, for a device that knows the shared secret and sits on this machine. */
  admit(attempt: PairingAttempt): Promise<unknown>;
  /** The token of the role; made when there is none. */
  issueToken(deviceId: string, role: string): Promise<DeviceToken>;
  /** The token's record when it is the device's own for this role; constant time. */
  checkToken(presented: {
    readonly deviceId: string;
    readonly role: string;
    readonly token: string;
  }): DeviceToken | undefined;
  /**
   * Whether this one-time secret lets the device in as a node. The first device that shows it has it, and no other,
   * until it expires.
   */
  takeInvite(presented: { readonly deviceId: string; readonly secret: string }): boolean;
  /** What an operator token may do over HTTP. */
  principalOf(token: string): Principal | undefined;
  /**
   * Takes a role away from a device, with its token, and closes the connections it has in that role. False: it had
   * none.
   */
  retire(what: Revoked & { readonly role: string }): Promise<boolean>;
  /** Told when a device may not stay connected as it is. Returns how to stop. */
  onRevoked(listener: (revoked: Revoked) => void): () => void;
}

/** Where no feature remembers devices none gets in as one. */
export const noDevices: DeviceRegistry = {
  find: () => undefined,
  request: async () => refused(),
  admit: async () => refused(),
  issueToken: async () => refused(),
  checkToken: () => undefined,
  takeInvite: () => false,
  principalOf: () => undefined,
  retire: async () => false,
  onRevoked: () => () => undefined,
};

function refused(): never {
  throw new AppError('unsupported', 'This gateway does not store devices.');
}

/** Why a device must be approved before it may have this role and these scopes; undefined when it may already. */
export function missingApproval(
  device: Pick<KnownDevice, 'roles' | 'scopes'> | undefined,
  attempt: { readonly role: string; readonly scopes: readonly string[] },
): PairingReason | undefined {
  if (!device) return 'not-paired';
  if (!device.roles.includes(attempt.role)) return 'role-upgrade';
  return coversScopes(device.scopes, attempt.scopes) ? undefined : 'scope-upgrade';
}

/** Every scope asked for is granted by those held; scopes nobody knows are granted by nothing. */
export const coversScopes = (held: readonly string[], requested: readonly string[]): boolean =>
  requested.every((scope) => isScope(scope) && scopesGrant(held, scope));

/** Whether the text names a scope there is. */
export const isScope = (scope: string): scope is OperatorScope =>
  (OPERATOR_SCOPES as readonly string[]).includes(scope);
