/** A small client of the gateway for the command line and tests: connect, call, listen. Loads no schemas. */
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
  /** Milliseconds for the connection, and for a call that names none. Default 30 000. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  /** Milliseconds; `null` waits as long as the connection lives. */
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
  const pending = new Map<string, Pending>();
  const listeners = new Set<(event: EventFrame) => void>();
  const challenge = Promise.withResolvers<ConnectChallenge>();
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  let calls = 0;

  const failAll = (error: AppError): void => {
    challenge.reject(error);
    for (const waiter of pending.values()) waiter.reject(error);
  };
  socket.on('error', (error) =>
    failAll(new AppError('network', `no gateway answers at ${url}: ${error.message}`, { cause: error })),
  );
  socket.on('close', (code, reason) => {
    closed.resolve({ code, reason: String(reason) });
    failAll(
      new AppError(
        'network',
        `the gateway closed the connection (${code}${reason.length > 0 ? `: ${String(reason)}` : ''})`,
        { details: { closeCode: code } },
      ),
    );
  });
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as EventFrame | ResponseFrame;
    if (frame.type === 'res') return settle(pending.get(frame.id), frame);
    if (frame.event === 'connect.challenge') return challenge.resolve(frame.payload as ConnectChallenge);
    for (const listener of listeners) listener(frame);
  });

  function call<T>(
    method: string,
    params: unknown = {},
    { timeoutMs = timeout, signal, onAccepted }: CallOptions = {},
  ): Promise<T> {
    const id = String(++calls);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer =
      timeoutMs === null
        ? undefined
        : setTimeout(
            () => reject(new AppError('timeout', `${method}: no answer from the gateway in ${timeoutMs} ms`)),
            timeoutMs,
          );
    const stop = (): void => reject(new AppError('aborted', `${method} was stopped`, { cause: signal?.reason }));
    signal?.addEventListener('abort', stop, { once: true });
    pending.set(id, { resolve: resolve as (payload: unknown) => void, reject, onAccepted });
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ type: 'req', id, method, params }));
    else reject(new AppError('network', `${method}: not connected to the gateway`));
    if (signal?.aborted) stop();
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      pending.delete(id);
    });
  }

  async function close(): Promise<void> {
    socket.close(1000);
    const timer = setTimeout(() => socket.terminate(), 1000);
    await closed.promise;
    clearTimeout(timer);
  }

  const slow = setTimeout(
    () =>
      challenge.reject(new AppError('timeout', `${url} accepted the connection and said nothing for ${timeout} ms`)),
    timeout,
  );
  try {
    const hello = await call<HelloOk>('connect', connectParams(options, await challenge.promise));
    return {
      hello,
      call,
      close,
      closed: closed.promise,
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    socket.terminate();
    throw asAppError(error, 'network');
  } finally {
    clearTimeout(slow);
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
