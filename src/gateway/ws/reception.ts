/** Takes a new socket to the door and, once admitted, serves it until it closes. */
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Log } from '../../core/log.ts';
import { createCrowd } from '../../platform/crowd.ts';
import { networkOf } from '../../platform/network-of.ts';
import { randomId, uuid } from '../../platform/ids.ts';
import type { MethodDeps } from '../methods/method.ts';
import type { HandshakeDeps } from './caller.ts';
import { createConnection } from './connection.ts';
import { createDispatcher } from './dispatch.ts';
import { admit, type Admission } from './handshake.ts';
import { helloOk } from './hello.ts';
import { answerDoor } from './knock.ts';

export interface ReceptionDeps { readonly methods: MethodDeps; readonly handshake: HandshakeDeps; readonly log: Log; readonly bootId: string }

export interface Reception {
  /** `known`: the caller was admitted. */
  welcome(socket: WebSocket, request: IncomingMessage, known?: () => void): void;
}

type Admitted = Extract<Admission, { ok: true }>;
interface FirstRequest { readonly requestId: string; readonly backlog: readonly string[] }

/** Callers on this machine: they may take all the room there is. */
const HERE = 'here';

export function createReception({ methods, handshake, log, bootId }: ReceptionDeps): Reception {
  const { hub, presence, health, limits, clock, services } = methods;
  /** Sockets that are not admitted yet. */
  const atTheDoor = createCrowd<WebSocket>({
    total: limits.maxPendingHandshakes,
    room: (from) => (from === HERE ? limits.maxPendingHandshakes : limits.maxPendingPerAddress),
    drop: (socket) => {
      socket.close(1013, 'others are waiting');
      socket.terminate();
    },
  });

  function welcome(socket: WebSocket, request: IncomingMessage, known: () => void = () => undefined): void {
    const caller = { connId: uuid(), request, address: handshake.auth.clientAddress(request), challenge: { nonce: randomId(), ts: clock.now() } };
    atTheDoor.joined(socket, caller.address.local ? HERE : networkOf(caller.address.ip));
    // A broken frame (invalid UTF-8, too large) closes the socket with its own code; here it is only noted.
    socket.on('error', (error) => log.info('gateway.socket', { connId: caller.connId, error: error.message }));
    const stopWaiting = answerDoor({
      socket, caller, limits, clock, log,
      admit: (params) => {
        atTheDoor.asked(socket);
        return admit(params, caller, handshake);
      },
      admitted(admission, requestId, backlog) {
        atTheDoor.left(socket);
        known();
        serve(socket, admission, { requestId, backlog });
      },
    });
    socket.once('close', () => {
      stopWaiting();
      atTheDoor.left(socket);
    });
  }

  function serve(socket: WebSocket, { peer, deviceToken }: Admitted, { requestId, backlog }: FirstRequest): void {
    const connection = createConnection({ socket, peer, limits, clock });
    const ended = new AbortController();
    // Every command line comes and goes: at info they would drown what matters.
    const note = peer.local && peer.client.mode === 'cli' ? log.debug : log.info;
    const { handle } = createDispatcher(connection, methods, ended.signal);
    socket.on('message', (data, isBinary) => (isBinary ? connection.close(1003, 'text frames only') : handle(String(data))));
    socket.once('close', (code) => {
      hub.remove(connection);
      ended.abort();
      presence.disconnected(peer);
      note('gateway.closed', { connId: peer.connId, code });
    });
    presence.connected(peer);
    // `hello-ok` comes before any event, so the connection joins the hub after it.
    connection.respond(requestId, { payload: helloOk(peer, deviceToken, { services, auth: handshake.auth, presence, health, limits, bootId, now: clock.now() }) });
    hub.add(connection);
    note('gateway.connected', { connId: peer.connId, client: peer.client.id, mode: peer.client.mode, role: peer.role, local: peer.local });
    for (const text of backlog) handle(text);
    health.refreshIfOld();
  }

  return { welcome };
}
