/** One admitted client: its event sequence, its responses, and the handling of slow readers. */
import type { WebSocket } from 'ws';
import type { Principal } from '../../core/principal.ts';
import type { ClientLink, ClientOffers } from '../../host/clients.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ClientInfo, Role } from '../../protocol/client-info.ts';
import type { WireError } from '../../protocol/errors.ts';
import type { WireLimits } from '../../protocol/limits.ts';
import { linkOf } from './client-link.ts';

/** Who is at the other end, settled by the handshake. */
export interface Peer {
  readonly connId: string;
  readonly role: Role;
  readonly scopes: readonly string[];
  readonly principal: Principal;
  readonly client: ClientInfo;
  readonly caps: readonly string[];
  /** What it can do for the gateway, as it says. */
  readonly offers: ClientOffers;
  readonly protocol: number;
  readonly ip: string;
  readonly local: boolean;
  readonly deviceId?: string;
  readonly connectedAt: number;
}

export interface Connection {
  readonly peer: Peer;
  /** This connection as features reach it. */
  readonly link: ClientLink;
  /** Sessions whose messages it asked for, by canonical key. */
  readonly followedSessions: Set<string>;
  /** Runs it started itself. */
  readonly ownRuns: Set<string>;
  /** It asked to hear when any session changes. */
  followsSessionList: boolean;
  /** It asked for lines of the log as they are written. */
  followsLog: boolean;
  respond(
    id: string,
    outcome: { readonly payload: unknown } | { readonly error: WireError; readonly payload?: unknown },
  ): void;
  /** `frame` is the event's JSON without its last brace; the sequence number is added here. */
  sendEvent(frame: string, options: { readonly droppable: boolean }): void;
  /** Bytes it has not taken yet. */
  readonly unread: number;
  /** Since when something waits for it, monotonic milliseconds; undefined: it has taken everything. */
  readonly waitsSince: number | undefined;
  /** Resolves when it has taken nearly everything, or is gone. */
  caughtUp(): Promise<void>;
  close(code: number, reason: string): void;
  /** Ends it without another word: what waits for it is let go at once. */
  cut(): void;
  /** Being closed: what still comes in counts for nothing, above all after its rights were taken away. */
  readonly closing: boolean;
}

/** Bytes that a connection, and the network behind it, may well be holding while it reads. */
const CAUGHT_UP = 256 * 1024;

/** After this a peer that does not answer a close is cut off. */
const CLOSE_GRACE_MS = 2000;

export interface ConnectionDeps {
  readonly socket: WebSocket;
  readonly peer: Peer;
  readonly limits: WireLimits;
  readonly clock: Clock;
  /** An answer was sent that is more than a client takes at once. */
  readonly onLoad: () => void;
}

export function createConnection({ socket, peer, limits, clock, onLoad }: ConnectionDeps): Connection {
  const waiting = new Set<() => void>();
  let waitsSince: number | undefined;
  let seq = 0;
  let closing = false;

  function send(text: string): void {
    waitsSince ??= clock.monotonic();
    if (text.length <= CAUGHT_UP) return socket.send(text, taken);
    // As bytes: the system would keep three times the length of a string for as long as nobody reads it.
    socket.send(Buffer.from(text), { binary: false }, taken);
    onLoad();
  }

  function taken(): void {
    if (socket.bufferedAmount === 0) waitsSince = undefined;
    if (socket.bufferedAmount > CAUGHT_UP && socket.readyState === socket.OPEN) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  socket.once('close', taken);

  function close(code: number, reason: string): void {
    if (closing) return;
    closing = true;
    closeSocket(socket, { code, reason, clock });
  }

  /**
   * False when the frame must not be sent. Dropped events keep their number, so that the client sees the gap and
   * refetches.
   */
  function hasRoom(droppable: boolean): boolean {
    if (closing) return false;
    if (socket.bufferedAmount <= limits.maxBufferedBytes) return true;
    if (!droppable) close(1008, 'slow consumer');
    return false;
  }

  const connection: Omit<Connection, 'link'> = {
    peer,
    followedSessions: new Set(),
    ownRuns: new Set(),
    followsSessionList: false,
    followsLog: false,
    respond(id, outcome) {
      if (!hasRoom(false)) return;
      send(JSON.stringify({ type: 'res', id, ok: !('error' in outcome), ...outcome }));
    },
    sendEvent(frame, { droppable }) {
      seq += 1;
      if (hasRoom(droppable)) send(`${frame},"seq":${seq}}`);
    },
    caughtUp: () =>
      new Promise((resolve) => {
        waiting.add(resolve);
        taken();
      }),
    close,
    cut() {
      closing = true;
      socket.terminate();
    },
    get unread() {
      return socket.bufferedAmount;
    },
    get waitsSince() {
      return waitsSince;
    },
    get closing() {
      return closing;
    },
  };
  return Object.assign(connection, { link: linkOf(connection) });
}

/** Closes politely, then firmly. The reason is cut to what a close frame holds. */
export function closeSocket(
  socket: WebSocket,
  { code, reason, clock }: { code: number; reason: string; clock: Clock },
): void {
  socket.close(code, closeReason(reason));
  const timer = clock.setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref();
  socket.once('close', () => timer.cancel());
}

/** At most 120 bytes, without a broken character at the end. */
export function closeReason(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= 120 ? text : bytes.toString('utf8', 0, 120).replace(/(?<!\uFFFD)\uFFFD+$/, '');
}
