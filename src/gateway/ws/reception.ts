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
import { refusal } from './refusal.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';

export interface ReceptionDeps {
  readonly methods: MethodDeps;
  readonly handshake: HandshakeDeps;
  readonly log: Log;
  readonly bootId: string;
}

export interface Reception {
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
  `the gateway has as many connections as its limit of open files allows: close some, or raise the limit (${PUBLIC_COMMAND} doctor)`,
  undefined,
  {
    wire: 'UNAVAILABLE',
    details: { reason: 'connection-limit' },
    close: 1013,
    retryAfterMs: 5000,
  },
);

export function createReception(deps: ReceptionDeps): Reception {
  return new SocketReception(deps);
}

class SocketReception implements Reception {
  readonly #deps: ReceptionDeps;
  readonly #methods: ReceptionDeps['methods'];
  /** Sockets that are not admitted yet. */
  readonly #atTheDoor;

  constructor(deps: ReceptionDeps) {
    this.#deps = deps;
    this.#methods = deps.methods;
    this.#atTheDoor = createCrowd<WebSocket>({
      total: () => this.#methods.limits.maxPendingHandshakes,
      room: (from) =>
        from === HERE ? this.#methods.limits.maxPendingHandshakes : this.#methods.limits.maxPendingPerAddress,
      drop: (socket) => {
        socket.close(1013, 'others are waiting');
        socket.terminate();
      },
    });
  }

  welcome(socket: WebSocket, request: IncomingMessage, known: () => boolean = () => true): void {
    const caller = {
      connId: uuid(),
      request,
      address: this.#deps.handshake.auth.clientAddress(request),
      challenge: { nonce: randomId(), ts: this.#methods.clock.now() },
    };
    this.#atTheDoor.joined(socket, caller.address.local ? HERE : networkOf(caller.address.ip));
    // A broken frame (invalid UTF-8, too large) closes the socket with its own code; here it is only noted.
    socket.on('error', (error) =>
      this.#deps.log.info('gateway.socket', { connId: caller.connId, error: error.message }),
    );
    const stopWaiting = answerDoor({
      socket,
      caller,
      limits: this.#methods.limits,
      clock: this.#methods.clock,
      log: this.#deps.log,
      admit: async (params) => {
        this.#atTheDoor.asked(socket);
        const admission = await admit(params, caller, this.#deps.handshake);
        return admission.ok && !known() ? noRoom : admission;
      },
      admitted: (admission, requestId, backlog) => {
        this.#atTheDoor.left(socket);
        this.#serve(socket, admission, { requestId, backlog });
      },
    });
    socket.once('close', () => {
      stopWaiting();
      this.#atTheDoor.left(socket);
    });
  }

  /** What nobody reads must not stand in memory, however many do not. */
  #shed(): void {
    for (const { peer, unread } of this.#methods.hub.unreadBytes() > this.#methods.limits.maxUnreadBytes
      ? this.#methods.hub.shed(this.#methods.limits.maxUnreadBytes)
      : [])
      this.#deps.log.warn('gateway.slow', { connId: peer.connId, client: peer.client.id, unread });
  }

  #serve(socket: WebSocket, { peer, deviceToken }: Admitted, { requestId, backlog }: FirstRequest): void {
    const connection = createConnection({
      socket,
      peer,
      limits: this.#methods.limits,
      clock: this.#methods.clock,
      onLoad: () => this.#shed(),
    });
    const ended = new AbortController();
    // Every command line comes and goes: at info they would drown what matters.
    const note = peer.local && peer.client.mode === 'cli' ? this.#deps.log.debug : this.#deps.log.info;
    const { handle } = createDispatcher(connection, this.#methods, ended.signal);
    socket.on('message', (data, isBinary) =>
      isBinary ? connection.close(1003, 'text frames only') : handle(String(data)),
    );
    socket.once('close', (code) => {
      this.#methods.hub.remove(connection);
      ended.abort();
      this.#methods.presence.disconnected(peer);
      note('gateway.closed', { connId: peer.connId, code });
    });
    this.#methods.presence.connected(peer);
    // `hello-ok` comes before any event, so the connection joins the hub after it.
    connection.respond(requestId, {
      payload: helloOk(peer, deviceToken, {
        services: this.#methods.services,
        auth: this.#deps.handshake.auth,
        presence: this.#methods.presence,
        health: this.#methods.health,
        limits: this.#methods.limits,
        table: this.#methods.table,
        events: this.#methods.hub.events,
        bootId: this.#deps.bootId,
        now: this.#methods.clock.now(),
      }),
    });
    this.#methods.hub.add(connection);
    note('gateway.connected', {
      connId: peer.connId,
      client: peer.client.id,
      mode: peer.client.mode,
      role: peer.role,
      local: peer.local,
    });
    for (const text of backlog) handle(text);
    this.#methods.health.refreshIfOld();
  }
}
