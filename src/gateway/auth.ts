/** Checks whether a caller knows the shared secret, and whether it is local. Used by HTTP and WebSocket. */
import type { ClientAddress } from '../host/http/surface.ts';
import type { IncomingMessage } from 'node:http';
import type { Principal } from '../core/principal.ts';
import { sameSecret } from '../platform/same-secret.ts';

export interface GatewayAuthOptions {
  readonly mode: 'token' | 'password';
  readonly token?: string | undefined;
  readonly password?: string | undefined;
  readonly trustedProxies?: readonly string[];
  /** Lets a paired device's token open HTTP too; answers with what that token may do. */
  readonly devices?: { principalOf(deviceToken: string): Principal | undefined };
}

export type AuthMethod = 'token' | 'password' | 'device-token';
export type AuthFailure = 'missing' | 'mismatch';
export type AuthResult =
  | { readonly ok: true; readonly principal: Principal; readonly method: AuthMethod }
  | { readonly ok: false; readonly reason: AuthFailure };

export interface GatewayAuth {
  readonly mode: 'token' | 'password';
  /** Checks the value of `Authorization: Bearer`; takes the shared secret of either kind or a device token. */
  checkBearer(value: string | undefined): AuthResult;
  /** Checks the shared secret alone, in the field the mode asks for; constant time. */
  checkShared(presented: {
    readonly token?: string | undefined;
    readonly password?: string | undefined;
  }):
    | { readonly ok: true; readonly method: 'token' | 'password' }
    | { readonly ok: false; readonly reason: AuthFailure };
  clientAddress(req: IncomingMessage): ClientAddress;
}

/** Without a secret nothing is ever accepted: an unset secret must not compare equal to an empty one. */
export function createGatewayAuth(options: GatewayAuthOptions): GatewayAuth {
  const secret = options.mode === 'password' ? options.password : options.token;
  const proxies = (options.trustedProxies ?? []).map(plainIp);
  const failed = (presented: string | undefined): { ok: false; reason: AuthFailure } => ({
    ok: false,
    reason: presented ? 'mismatch' : 'missing',
  });

  return {
    mode: options.mode,
    checkBearer(value) {
      if (value && secret && sameSecret(value, secret))
        return { ok: true, principal: { kind: 'owner' }, method: options.mode };
      const principal = value ? options.devices?.principalOf(value) : undefined;
      return principal ? { ok: true, principal, method: 'device-token' } : failed(value);
    },
    checkShared(presented) {
      const value = options.mode === 'password' ? presented.password : presented.token;
      return value && secret && sameSecret(value, secret) ? { ok: true, method: options.mode } : failed(value);
    },
    clientAddress: (req) => clientAddress(req, proxies),
  };
}

function clientAddress(req: IncomingMessage, proxies: readonly string[]): ClientAddress {
  const peer = plainIp(req.socket.remoteAddress ?? '');
  const forwarded = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-forwarded-host', 'x-forwarded-proto'].some(
    (name) => req.headers[name] !== undefined,
  );
  if (!forwarded) return { ip: peer, local: isLoopback(peer) && isLocalHost(req.headers.host) };
  if (!proxies.includes(peer)) return { ip: peer, local: false };
  const ip = originalClient(req, proxies);
  return { ip: ip ?? peer, local: ip !== undefined && isLoopback(ip) && isLocalHost(req.headers.host) };
}

/** The nearest address no trusted proxy stands for: entries further left are whatever the client claimed. */
function originalClient(req: IncomingMessage, proxies: readonly string[]): string | undefined {
  const header = req.headers['x-forwarded-for'] ?? req.headers['x-real-ip'];
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((hop) => plainIp(hop.trim()))
    .filter(Boolean);
  return hops.findLast((hop) => !proxies.includes(hop));
}

const plainIp = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '');

export const isLoopback = (ip: string): boolean => ip === '::1' || /^127(\.\d{1,3}){3}$/.test(ip);

/** A foreign name in `Host` on a loopback connection is a rebound DNS name or a tunnel: somebody else is asking. */
export function isLocalHost(host: string | undefined): boolean {
  if (!host) return false;
  const name = host
    .trim()
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || isLoopback(name) || name.endsWith('.ts.net');
}
