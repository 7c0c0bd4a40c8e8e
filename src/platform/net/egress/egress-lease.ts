/** The permission of one command to use the egress proxy: its credential, its connections, the hosts it contacted. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Reached } from '../../../core/understanding.ts';

/** What one child process may do through the proxy, until it is closed. */
export interface Lease {
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  opens(secret: string): boolean;
  /** Closed with the lease, and when nothing moved for the time allowed. */
  hold(socket: Socket): void;
  note(reached: Reached): void;
  reached(): readonly Reached[];
  /** Counts a connection in; undefined when there are too many. Call what it returns when the connection is over. */
  enter(): (() => void) | undefined;
  end(): void;
}

/** What one lease may cost. */
export interface EgressLimits {
  /** Connections a lease may have at the same time. */
  readonly connections: number;
  /** Milliseconds a connection may be silent. */
  readonly idleMs: number;
}

/** A lease's record of what it reached is bounded; what comes later is not written down, but checked all the same. */
const MAX_RECORDS = 200;

/** The credential is random and stands in the child's environment only. */
export function createLease({ port, limits }: { readonly port: number; readonly limits: EgressLimits }): Lease {
  const id = randomBytes(8).toString('hex');
  const secret = randomBytes(24).toString('hex');
  const expected = digest(secret);
  const sockets = new Set<Socket>();
  const reached: Reached[] = [];
  const controller = new AbortController();
  let open = 0;
  return {
    id,
    env: proxyEnv(`http://${id}:${secret}@127.0.0.1:${port}`),
    signal: controller.signal,
    opens: (offered) => timingSafeEqual(digest(offered), expected),
    hold(socket) {
      if (sockets.has(socket)) return;
      sockets.add(socket);
      socket.setTimeout(limits.idleMs, () => socket.destroy()).once('close', () => sockets.delete(socket));
      if (controller.signal.aborted) socket.destroy();
    },
    note: (what) => void (reached.length < MAX_RECORDS && reached.push(what)),
    reached: () => [...reached],
    enter() {
      if (open >= limits.connections) return undefined;
      open++;
      let inside = true;
      return () => {
        if (inside) open--;
        inside = false;
      };
    },
    end() {
      controller.abort();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Both spellings, because programs disagree; an empty NO_PROXY, because one inherited would lead around the guard; FTP,
 * because a redirect may lead there.
 */
function proxyEnv(url: string): Readonly<Record<string, string>> {
  const upper = { HTTP_PROXY: url, HTTPS_PROXY: url, FTP_PROXY: url, ALL_PROXY: url, NO_PROXY: '' };
  const lower = Object.fromEntries(Object.entries(upper).map(([name, value]) => [name.toLowerCase(), value]));
  // Node's own `fetch` uses the variables only if it is told to.
  return { ...upper, ...lower, NODE_USE_ENV_PROXY: '1' };
}

/** Equal lengths, so that the comparison takes the same time for every guess. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
