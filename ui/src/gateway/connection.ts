/** The connection to the gateway: handshake, requests, ordered events, and reconnecting. */
import { reconnectDelay } from './reconnect-delay.ts';
import { classifyConnectError, type ConnectFailure } from './connect-failure.ts';
import { buildConnect } from './connect-request.ts';
import type { Credentials } from './credentials.ts';
import type { DeviceIdentity } from './device-identity.ts';
import { RequestError, RequestTable } from './requests.ts';
import type { EventFrame, Frame, Hello } from './wire.ts';

export type ConnectionState =
  | { readonly phase: 'connecting'; readonly attempt: number }
  | { readonly phase: 'connected'; readonly hello: Hello }
  | { readonly phase: 'waiting'; readonly retryAt: number; readonly reason: string }
  /** A person must act: enter a token, approve the device, reload the page. */
  | { readonly phase: 'blocked'; readonly failure: ConnectFailure }
  | { readonly phase: 'closed' };

/** The part of `WebSocket` that is used here; tests provide their own. */
export interface Socket {
  /** 1: open. While it closes, `onclose` is still to come, and nothing can be sent. */
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
}

const OPEN = 1;

export interface ConnectionDeps {
  readonly url: string;
  readonly credentials: Credentials;
  readonly identity: () => Promise<DeviceIdentity | undefined>;
  readonly openSocket: (url: string) => Socket;
  readonly onState: (state: ConnectionState) => void;
  readonly onEvent: (event: EventFrame) => void;
  /** Events were lost: subscribers must fetch their data again. */
  readonly onGap: () => void;
  readonly now?: () => number;
  readonly random?: () => number;
}

export class Connection {
  #deps: ConnectionDeps;
  #socket: Socket | undefined;
  #state: ConnectionState = { phase: 'closed' };
  #requests = new RequestTable();
  #attempt = 0;
  #lastSeq: number | undefined;
  #lastFrameAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  #failure: ConnectFailure | undefined;
  #usedDeviceToken = false;
  #closeReason = '';

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
  }

  /** Of the gateway's WebSocket. */
  get url(): string {
    return this.#deps.url;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Also called by `nudge` while waiting: the next attempt starts now. */
  start(): void {
    clearTimeout(this.#timer);
    this.#drop();
    this.#failure = undefined;
    this.#closeReason = '';
    this.#lastSeq = undefined;
    this.#enter({ phase: 'connecting', attempt: this.#attempt });
    const socket = this.#deps.openSocket(this.#deps.url);
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#receive(socket, data);
    socket.onclose = ({ code, reason }) => this.#closed(socket, code, reason);
  }

  /** The network or the window is active again, so the next attempt starts without a delay. */
  nudge(): void {
    if (this.#state.phase === 'waiting') this.start();
    else if (this.#state.phase === 'connected') this.#checkSilence();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#drop();
    this.#enter({ phase: 'closed' });
  }

  /** Rejects with `RequestError`: `code` is the gateway's, or `DISCONNECTED` when the answer can no longer come. */
  request<T>(method: string, params: unknown = {}, options: { readonly timeoutMs?: number } = {}): Promise<T> {
    if (this.#state.phase !== 'connected' || this.#socket?.readyState !== OPEN)
      return Promise.reject(new RequestError({ code: 'DISCONNECTED', message: 'not connected to the gateway' }));
    return this.#requests.send<T>(this.#socket, { method, params, ...options });
  }

  #enter(state: ConnectionState): void {
    this.#state = state;
    this.#deps.onState(state);
  }

  #drop(): void {
    clearInterval(this.#watch);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#requests.failAll();
    socket?.close(1000);
  }

  #receive(socket: Socket, data: unknown): void {
    if (socket !== this.#socket || typeof data !== 'string') return;
    this.#lastFrameAt = this.#now();
    const frame = JSON.parse(data) as Frame;
    if (frame.type === 'res') this.#requests.settle(frame);
    else if (frame.event === 'connect.challenge')
      void this.#answer(socket, frame.payload as { nonce: string; ts: number });
    else this.#deliver(frame);
  }

  #deliver(frame: EventFrame): void {
    if (frame.seq !== undefined) {
      const gap = this.#lastSeq !== undefined && frame.seq > this.#lastSeq + 1;
      this.#lastSeq = frame.seq;
      if (gap) this.#deps.onGap();
    }
    if (frame.event === 'shutdown') this.#closeReason = 'The gateway is restarting.';
    this.#deps.onEvent(frame);
  }

  async #answer(socket: Socket, challenge: { nonce: string; ts: number }): Promise<void> {
    const { credentials } = this.#deps;
    const { params, usedDeviceToken } = await buildConnect({
      challenge,
      credentials,
      identity: await this.#deps.identity(),
    });
    if (socket !== this.#socket || socket.readyState !== OPEN) return;
    this.#usedDeviceToken = usedDeviceToken;
    try {
      const hello = await this.#requests.send<Hello>(socket, { method: 'connect', params, timeoutMs: 15_000 });
      if (hello.auth?.deviceToken) credentials.setDeviceToken(hello.auth.deviceToken);
      this.#attempt = 0;
      this.#enter({ phase: 'connected', hello });
      this.#watch = setInterval(() => this.#checkSilence(), hello.policy.tickIntervalMs);
    } catch (cause) {
      if (!(cause instanceof RequestError)) throw cause;
      this.#refused(socket, cause);
    }
  }

  #refused(socket: Socket, error: RequestError): void {
    if (socket !== this.#socket) return;
    const failure = classifyConnectError(error);
    if (failure.kind === 'credentials' && this.#usedDeviceToken) this.#deps.credentials.setDeviceToken(undefined);
    this.#failure = failure;
    socket.close(1000);
  }

  #closed(socket: Socket, code: number, reason: string): void {
    if (socket !== this.#socket) return;
    this.#drop();
    const failure = this.#failure;
    if (failure && failure.kind !== 'retry') return this.#enter({ phase: 'blocked', failure });
    const delay = Math.max(
      failure?.retryAfterMs ?? 0,
      reconnectDelay(this.#attempt++, (this.#deps.random ?? Math.random)()),
    );
    this.#enter({
      phase: 'waiting',
      retryAt: this.#now() + delay,
      reason:
        failure?.message ??
        (this.#closeReason || reason || (code === 1006 ? 'The gateway does not answer.' : 'The connection was lost.')),
    });
    this.#timer = setTimeout(() => this.start(), delay);
  }

  /**
   * Two missed ticks: the connection is dead although TCP has not noticed it, e.g. after suspend or a network change.
   */
  #checkSilence(): void {
    if (this.#state.phase !== 'connected') return;
    if (this.#now() - this.#lastFrameAt <= 2.2 * this.#state.hello.policy.tickIntervalMs) return;
    this.#closeReason = 'The gateway stopped responding.';
    const socket = this.#socket;
    if (socket) this.#closed(socket, 4000, '');
  }

  #now(): number {
    return (this.#deps.now ?? Date.now)();
  }
}
