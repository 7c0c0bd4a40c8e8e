/**
 * Limits connections. A new connection replaces the unauthenticated one that was silent longest. Authenticated
 * connections are never closed, but refused when no room is left.
 */
import type { Socket } from 'node:net';
import { createConnectionLimiter } from '../../platform/connection-limiter.ts';
import { networkOf } from '../../platform/network-of.ts';
import { isLoopback } from '../auth.ts';
import type { ConnectionBudget } from './connection-budget.ts';

export interface ConnectionCaps {
  /** Counts the connection; where there are too many another one is destroyed. */
  opened(socket: Socket): void;
  /** A whole head came: those that only hold the line go first. */
  requested(socket: Socket): void;
  /** The caller is known. False: there is no room for one more who stays, so the connection may give way to another. */
  proved(socket: Socket): boolean;
}

export interface CapLimits {
  readonly perAddress: number;
  /** Everything behind a reverse proxy shares its address: loopback, and those of `gateway.trustedProxies`. */
  readonly perProxy: number;
  /** From everywhere, so that many addresses do not use up what the process may open. */
  readonly total: number;
}

export interface CapOptions {
  readonly limits?: CapLimits | undefined;
  readonly proxies?: readonly string[];
  /** Of everybody, known or not. */
  readonly perPlace?: ConnectionBudget;
}

const DEFAULT_CAP_LIMITS: CapLimits = { perAddress: 64, perProxy: 512, total: 1024 };
/**
 * Room that those who are known leave to others, so that a probe is answered and a client learns why it has to wait.
 */
const GATE = 8;

export function createConnectionCaps({
  limits = DEFAULT_CAP_LIMITS,
  proxies = [],
  perPlace = () => Infinity,
}: CapOptions = {}): ConnectionCaps {
  const shared = new Set(proxies.map(networkOf));
  const known = new Set<Socket>();
  const waiting = createConnectionLimiter<Socket>({
    total: () => Math.max(1, Math.min(limits.total, openPlaces(1) - known.size)),
    perPlace: (from) => (from === LOOPBACK || shared.has(from) ? limits.perProxy : limits.perAddress),
    drop: (socket) => void socket.destroy(),
  });

  function openPlaces(coming = 0): number {
    return perPlace(known.size + waiting.size + coming);
  }

  return {
    opened(socket) {
      waiting.joined(socket, placeOf(socket.remoteAddress ?? ''));
      socket.once('close', () => {
        waiting.left(socket);
        known.delete(socket);
      });
    },
    requested: waiting.requested,
    proved(socket) {
      const all = openPlaces();
      if (!known.has(socket) && known.size >= all - Math.min(GATE, Math.max(1, Math.floor(all / 4)))) return false;
      waiting.left(socket);
      if (!socket.destroyed) known.add(socket);
      return true;
    },
  };
}

const LOOPBACK = 'loopback';

const placeOf = (address: string): string =>
  isLoopback(address.replace(/^::ffff:/i, '')) ? LOOPBACK : networkOf(address);
