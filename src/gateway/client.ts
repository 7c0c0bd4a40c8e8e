/** A small client of the gateway for the CLI and tests: connect, call, listen. It loads no schemas. */
import { WebSocket } from 'ws';
import { AppError, asAppError, ERROR_CODES, type ErrorCode } from '../core/errors.ts';
import { present } from '../core/present.ts';
import type { ClientMode } from '../protocol/client-info.ts';
import type { ConnectChallenge, HelloOk } from '../protocol/answers/system.ts';
import type { WireError } from '../protocol/errors.ts';
import type { EventFrame, ResponseFrame } from '../protocol/frames.ts';
import { PROTOCOL_VERSION } from '../protocol/version.ts';
import { signProof, type DeviceIdentity } from './devices/identity.ts';

export { loadDeviceIdentity } from './devices/identity-file.ts';

const MAX_PAYLOAD = 25 * 1024 * 1024;

export interface ConnectOptions {
  readonly url: string;
  readonly token?: string;
  readonly password?: string;
  /** The token this device got in an earlier `hello-ok`. */
  readonly deviceToken?: string;
  readonly identity?: DeviceIdentity;
  /** Default: `cli` in mode `cli`. */
  readonly client?: {
    readonly id: string;
    readonly mode: ClientMode;
    readonly version?: string;
    readonly displayName?: string;
  };
  readonly role?: 'operator' | 'node';
  /** Default: everything the credentials allow. */
  readonly scopes?: readonly string[];
  readonly caps?: readonly string[];
  /** Of a node: what it can do. */
  readonly offers?: {
    readonly commands: readonly string[];
    readonly permissions: Readonly<Record<string, boolean>>;
    readonly pathEnv?: string | undefined;
  };
  /** Milliseconds for the connection, and for a call that names none. Default 30 000. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  /** Milliseconds; `null` waits as long as the connection is open. */
  readonly timeoutMs?: number | null;
  readonly signal?: AbortSignal;
  /** `agent` answers twice; this hears the first. */
  readonly onAccepted?: (payload: unknown) => void;
}

export interface GatewayConnection extends AsyncDisposable {
  readonly hello: HelloOk;
  /** Rejects with `AppError`: the gateway's refusal, `timeout`, `network` when the connection ends first, `aborted`. */
  call<T = unknown>(method: string, params?: unknown, options?: CallOptions): Promise<T>;
  /** Every event, in order. Returns the unsubscribe function. */
  subscribe(listener: (event: EventFrame) => void): () => void;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  close(): Promise<void>;
}

interface Pending {
  resolve(payload: unknown): void;
  reject(error: AppError): void;
  onAccepted: ((payload: unknown) => void) | undefined;
}

/**
 * Rejects with `AppError('network')` when nobody answers at the address, `auth` or `denied` when it does not let us in.
 */
export async function connectGateway(options: ConnectOptions): Promise<GatewayConnection> {
  const { url, timeoutMs: timeout = 30_000 } = options;
  const socket = new WebSocket(url, { maxPayload: MAX_PAYLOAD, handshakeTimeout: timeout, perMessageDeflate: false });
  const link = new Link(socket, { url, timeoutMs: timeout });
  try {
    const hello = await link.call<HelloOk>('connect', connectParams(options, await link.challenged()));
    return {
      hello,
      call: (method, params, callOptions) => link.call(method, params, callOptions),
      close: () => link.close(),
      closed: link.closed,
      subscribe: (listener) => link.subscribe(listener),
      [Symbol.asyncDispose]: () => link.close(),
    };
  } catch (error) {
    socket.terminate();
    throw asAppError(error, 'network');
  }
}

/** One socket: calls find their answers, events their listeners, and when it ends, so does everything that waits. */
class Link {
  readonly #socket: WebSocket;
  readonly #at: { readonly url: string; readonly timeoutMs: number };
  readonly #pending = new Map<string, Pending>();
  readonly #listeners = new Set<(event: EventFrame) => void>();
  readonly #challenge = Promise.withResolvers<ConnectChallenge>();
  readonly #closed = Promise.withResolvers<{ code: number; reason: string }>();
  #calls = 0;

  constructor(socket: WebSocket, at: { readonly url: string; readonly timeoutMs: number }) {
    this.#socket = socket;
    this.#at = at;
    socket.on('error', (error) =>
      this.#failAll(new AppError('network', `no gateway answers at ${at.url}: ${error.message}`, { cause: error })),
    );
    socket.on('close', (code, reason) => {
      this.#closed.resolve({ code, reason: String(reason) });
      const why = `${code}${reason.length > 0 ? `: ${String(reason)}` : ''}`;
      const details = { closeCode: code };
      this.#failAll(new AppError('network', `the gateway closed the connection (${why})`, { details }));
    });
    socket.on('message', (data) => this.#onFrame(JSON.parse(String(data)) as EventFrame | ResponseFrame));
  }

  get closed(): Promise<{ readonly code: number; readonly reason: string }> {
    return this.#closed.promise;
  }

  /** What the gateway says first; `timeout` when it says nothing. */
  async challenged(): Promise<ConnectChallenge> {
    const { url, timeoutMs } = this.#at;
    const silent = `${url} accepted the connection but sent nothing for ${timeoutMs} ms`;
    const slow = setTimeout(() => this.#challenge.reject(new AppError('timeout', silent)), timeoutMs);
    try {
      return await this.#challenge.promise;
    } finally {
      clearTimeout(slow);
    }
  }

  call<T>(
    method: string,
    params: unknown = {},
    { timeoutMs = this.#at.timeoutMs, signal, onAccepted }: CallOptions = {},
  ): Promise<T> {
    const id = String(++this.#calls);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const late = (): void =>
      reject(new AppError('timeout', `${method}: no answer from the gateway in ${timeoutMs} ms`));
    const timer = timeoutMs === null ? undefined : setTimeout(late, timeoutMs);
    const stop = (): void => reject(new AppError('aborted', `${method} was stopped`, { cause: signal?.reason }));
    signal?.addEventListener('abort', stop, { once: true });
    this.#pending.set(id, { resolve: resolve as (payload: unknown) => void, reject, onAccepted });
    if (this.#socket.readyState === this.#socket.OPEN)
      this.#socket.send(JSON.stringify({ type: 'req', id, method, params }));
    else reject(new AppError('network', `${method}: not connected to the gateway`));
    if (signal?.aborted) stop();
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      this.#pending.delete(id);
    });
  }

  subscribe(listener: (event: EventFrame) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#socket.close(1000);
    const timer = setTimeout(() => this.#socket.terminate(), 1000);
    await this.closed;
    clearTimeout(timer);
  }

  #onFrame(frame: EventFrame | ResponseFrame): void {
    if (frame.type === 'res') return settle(this.#pending.get(frame.id), frame);
    if (frame.event === 'connect.challenge') return this.#challenge.resolve(frame.payload as ConnectChallenge);
    for (const listener of this.#listeners) listener(frame);
  }

  #failAll(error: AppError): void {
    this.#challenge.reject(error);
    for (const waiter of this.#pending.values()) waiter.reject(error);
  }
}

function connectParams(
  {
    token,
    password,
    deviceToken,
    identity,
    role = 'operator',
    scopes,
    caps = [],
    offers,
    client = { id: 'cli', mode: 'cli' },
  }: ConnectOptions,
  challenge: ConnectChallenge,
): unknown {
  const { id, mode, version = '0', displayName } = client;
  const platform = process.platform;
  const auth = present({
    token: token || undefined,
    password: password || undefined,
    deviceToken: deviceToken || undefined,
  });
  const proof = identity && {
    deviceId: identity.deviceId,
    clientId: id,
    clientMode: mode,
    role,
    scopes: scopes ?? [],
    signedAt: challenge.ts,
    token: token ?? deviceToken ?? '',
    nonce: challenge.nonce,
    platform,
  };
  return {
    minProtocol: PROTOCOL_VERSION,
    maxProtocol: PROTOCOL_VERSION,
    client: present({ id, mode, version, platform, displayName: displayName || undefined }),
    role,
    caps,
    auth,
    ...present({ commands: offers?.commands, permissions: offers?.permissions, pathEnv: offers?.pathEnv }),
    ...present({
      scopes,
      device:
        identity && proof
          ? {
              id: identity.deviceId,
              publicKey: identity.publicKey,
              signature: signProof(identity, proof),
              signedAt: challenge.ts,
              nonce: challenge.nonce,
            }
          : undefined,
    }),
  };
}

function settle(waiter: Pending | undefined, frame: ResponseFrame): void {
  if (!waiter) return;
  if (!frame.ok)
    return waiter.reject(fromWire(frame.error ?? { code: 'UNAVAILABLE', message: 'the gateway gave no reason' }));
  const status = (frame.payload as { status?: unknown } | undefined)?.status;
  if (status === 'accepted') waiter.onAccepted?.(frame.payload);
  else waiter.resolve(frame.payload);
}

/** Our own code when the gateway sent it along, else the nearest one. */
function fromWire({ code, message, details, retryAfterMs }: WireError): AppError {
  const facts = typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {};
  return new AppError(appCode(code, facts), message, { details: { ...facts, wireCode: code }, retryAfterMs });
}

function appCode(wire: string, { reason, code }: Record<string, unknown>): ErrorCode {
  if (typeof reason === 'string' && reason in ERROR_CODES) return reason as ErrorCode;
  if (wire === 'NOT_PAIRED' || (typeof code === 'string' && /^(AUTH|DEVICE)_/.test(code))) return 'auth';
  if (wire === 'FORBIDDEN') return 'denied';
  return wire === 'INVALID_REQUEST' ? 'invalid' : 'unavailable';
}
