/** Caps the connections an address may hold open before it has proved who it is. */
import type { Socket } from 'node:net';
import { isLoopback } from '../auth.ts';

export interface ConnectionCaps {
  /** Counts the connection; destroys it when its address holds too many. */
  opened(socket: Socket): void;
  /** The caller is known: the connection no longer counts. */
  proved(socket: Socket): void;
}

export interface CapLimits {
  readonly perAddress: number;
  /** Everything behind a local reverse proxy shares the loopback address. */
  readonly perLoopback: number;
}

const DEFAULT_CAP_LIMITS: CapLimits = { perAddress: 64, perLoopback: 512 };

export function createConnectionCaps(limits: CapLimits = DEFAULT_CAP_LIMITS): ConnectionCaps {
  const open = new Map<string, number>();
  const counted = new WeakMap<Socket, string>();

  const release = (socket: Socket): void => {
    const ip = counted.get(socket);
    if (ip === undefined) return;
    counted.delete(socket);
    const left = (open.get(ip) ?? 1) - 1;
    if (left > 0) open.set(ip, left);
    else open.delete(ip);
  };

  return {
    opened(socket) {
      const ip = (socket.remoteAddress ?? '').replace(/^::ffff:/i, '');
      const held = open.get(ip) ?? 0;
      if (held >= (isLoopback(ip) ? limits.perLoopback : limits.perAddress)) {
        socket.destroy();
        return;
      }
      open.set(ip, held + 1);
      counted.set(socket, ip);
      socket.once('close', () => release(socket));
    },
    proved: release,
  };
}
