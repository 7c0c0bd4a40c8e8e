/** Runs the handshake of a new socket, and serves the socket until it closes. */
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Log } from '../../core/log.ts';
import { createConnectionLimiter } from '../../platform/connection-limiter.ts';
import { networkOf } from '../../platform/network-of.ts';
import { randomId, uuid } from '../../platform/ids.ts';
import type { MethodDeps } from '../methods/method.ts';
import type { HandshakeDeps } from './caller.ts';
import { createConnection } from './connection.ts';
import { createDispatcher } from './dispatch.ts';
import { admit, type Admission } from './handshake.ts';
import { helloOk } from './hello.ts';
import { answerConnection } from './connection-attempt.ts';
import { refusal } from './refusal.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';

export interface SocketHandlerDeps {
  readonly methods: MethodDeps;
  readonly handshake: HandshakeDeps;
  readonly log: Log;
  readonly bootId: string;
}

export interface SocketHandler {
  /** `known`: the caller is admitted, where it answers that there is room for one more. */
  welcome(socket: WebSocket, request: IncomingMessage, known?: () => boolean): void;
}

type Admitted = Extract<Admission, { ok: true }>;
interface FirstRequest {
  readonly requestId: string;
  readonly backlog: readonly string[];
}

/** Callers on this machine: they may take all the room there is. */
const HERE = 'here';

/** Nobody who is in is dropped for somebody who comes. */
const noRoom = refusal(
  `the limit of open files allows no more connections: close some, or raise the limit (${PUBLIC_COMMAND} doctor)`,
  undefined,
  {
    wire: 'UNAVAILABLE',
    details: { reason: 'connection-limit' },
    close: 1013,
    retryAfterMs: 5000,
  },
);

export function createSocketHandler(deps: SocketHandlerDeps): SocketHandler {
  const { methods, handshake, log } = deps;
  const { limits, clock } = methods;
  /** Sockets that are not admitted yet. */
  const unauthenticated = createConnectionLimiter<WebSocket>({
    total: () => limits.maxPendingHandshakes,
    perPlace: (from) => (from === HERE ? limits.maxPendingHandshakes : limits.maxPendingPerAddress),
    drop: (socket) => {
      socket.close(1013, 'others are waiting');
      socket.terminate();
    },
  });

  function welcome(socket: WebSocket, request: IncomingMessage, known: () => boolean = () => true): void {
    const caller = {
      connId: uuid(),
      request,
      address: handshake.auth.clientAddress(request),
      challenge: { nonce: randomId(), ts: clock.now() },
    };
    unauthenticated.joined(socket, caller.address.local ? HERE : networkOf(caller.address.ip));
    // A broken frame (invalid UTF-8, too large) closes the socket with its own code; here it is only noted.
    socket.on('error', (error) => log.info('gateway.socket', { connId: caller.connId, error: error.message }));
    const stopWaiting = answerConnection({
      socket,
      caller,
      limits,
      clock,
      log,
      async admit(params) {
        unauthenticated.requested(socket);
        const admission = await admit(params, caller, handshake);
        return admission.ok && !known() ? noRoom : admission;
      },
      admitted(admission, requestId, backlog) {
        unauthenticated.left(socket);
        serve(socket, admission, { requestId, backlog }, deps);
      },
    });
    socket.once('close', () => {
      stopWaiting();
      unauthenticated.left(socket);
    });
  }

  return { welcome };
}

/** What nobody reads must not stand in memory, however many do not. */
function shed({ methods: { hub, limits }, log }: SocketHandlerDeps): void {
  for (const { peer, unread } of hub.unreadBytes() > limits.maxUnreadBytes ? hub.shed(limits.maxUnreadBytes) : [])
    log.warn('gateway.slow', { connId: peer.connId, client: peer.client.id, unread });
}

/** From the answer to its first request until it closes. */
function serve(
  socket: WebSocket,
  { peer, deviceToken }: Admitted,
  { requestId, backlog }: FirstRequest,
  deps: SocketHandlerDeps,
): void {
  const { methods, handshake, log, bootId } = deps;
  const { hub, presence, health, limits, clock, services } = methods;
  const connection = createConnection({ socket, peer, limits, clock, onLoad: () => shed(deps) });
  const watches = services.features.clients;
  const ended = new AbortController();
  // Every command line comes and goes: at info they would drown what matters.
  const note = peer.local && peer.client.mode === 'cli' ? log.debug : log.info;
  const { handle } = createDispatcher(connection, methods, ended.signal);
  socket.on('message', (data, isBinary) =>
    isBinary ? connection.close(1003, 'text frames only') : handle(String(data)),
  );
  socket.once('close', (code) => {
    hub.remove(connection);
    for (const watch of watches) watch.left(connection.link);
    ended.abort();
    presence.disconnected(peer);
    note('gateway.closed', { connId: peer.connId, code });
  });
  presence.connected(peer);
  // `hello-ok` comes before any event, so the connection joins the hub after it.
  connection.respond(requestId, {
    payload: helloOk(peer, deviceToken, {
      services,
      auth: handshake.auth,
      presence,
      health,
      limits,
      table: methods.table,
      events: hub.events,
      bootId,
      now: clock.now(),
    }),
  });
  hub.add(connection);
  for (const watch of watches) watch.admitted(connection.link);
  note('gateway.connected', {
    connId: peer.connId,
    client: peer.client.id,
    mode: peer.client.mode,
    role: peer.role,
    local: peer.local,
  });
  for (const text of backlog) handle(text);
  health.refreshIfOld();
}
