/** Bounds the connections that have not proved who they are: the one that was silent longest gives way to a new one, and who is known is never dropped. */
import type { Socket } from 'node:net';
import { createCrowd } from '../../platform/crowd.ts';
import { networkOf } from '../../platform/network-of.ts';
import { isLoopback } from '../auth.ts';

export interface ConnectionCaps {
  /** Counts the connection; where there are too many another one is destroyed. */
  opened(socket: Socket): void;
  /** A whole head came: those that only hold the line go first. */
  asked(socket: Socket): void;
  /** The caller is known: the connection no longer counts. */
  proved(socket: Socket): void;
}

export interface CapLimits {
  readonly perAddress: number;
  /** Everything behind a reverse proxy shares its address: loopback, and those of `gateway.trustedProxies`. */
  readonly perProxy: number;
  /** From everywhere, so that many addresses do not use up what the process may open. */
  readonly total: number;
}

const DEFAULT_CAP_LIMITS: CapLimits = { perAddress: 64, perProxy: 512, total: 1024 };

export function createConnectionCaps({ limits = DEFAULT_CAP_LIMITS, proxies = [] }: { readonly limits?: CapLimits | undefined; readonly proxies?: readonly string[] } = {}): ConnectionCaps {
  const shared = new Set(proxies.map(networkOf));
  const crowd = createCrowd<Socket>({
    total: limits.total,
    room: (from) => (from === LOOPBACK || shared.has(from) ? limits.perProxy : limits.perAddress),
    drop: (socket) => void socket.destroy(),
  });
  return {
    opened(socket) {
      crowd.joined(socket, placeOf(socket.remoteAddress ?? ''));
      socket.once('close', () => crowd.left(socket));
    },
    asked: crowd.asked,
    proved: crowd.left,
  };
}

const LOOPBACK = 'loopback';

const placeOf = (address: string): string => (isLoopback(address.replace(/^::ffff:/i, '')) ? LOOPBACK : networkOf(address));
