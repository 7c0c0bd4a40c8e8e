/** The connection to the gateway in the role of a node: proves the key, answers requests, and comes back after a loss. */
import { backoff, jittered } from '../../../core/backoff.ts';
import { proofTextV3 } from '../../../protocol/device-proof.ts';
import type { Identity } from './identity.ts';

/** What the node shows the gateway: the token it was given, or the secret of an invitation. */
export interface Credentials {
  readonly deviceToken?: string | undefined;
  readonly bootstrapToken?: string | undefined;
}

/** What the node offers. */
export interface Offer {
  readonly name: string;
  readonly deviceFamily: string;
  readonly caps: readonly string[];
  readonly commands: readonly string[];
  readonly permissions: Readonly<Record<string, boolean>>;
}

export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'waiting'; readonly reason: string }
  /** Nothing this page does alone changes it. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

export interface LinkDeps {
  /** Of the gateway's WebSocket. */
  readonly url: string;
  readonly identity: Identity;
  offer(): Offer;
  credentials(): Credentials;
  /** A token came, or the one it had is dead (undefined). */
  gotToken(token: string | undefined): void;
  onState(state: LinkState): void;
  onEvent(event: string, payload: unknown): void;
}

export interface Link {
  /** Connects, at once if it waits to. */
  start(): void;
  stop(): void;
  /** The page was away: a connection that has been silent for too long is given up, and a wait is over. */
  wake(): void;
  readonly connected: boolean;
  /** Rejects with `LinkError` when the gateway refuses or is gone. */
  call<T = unknown>(method: string, params: unknown): Promise<T>;
}

/** What the gateway refused; `code` is `DISCONNECTED` where no answer can come. */
export class LinkError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const RETRY = { first: 500, max: 15_000 };
const PROTOCOL = 4;
const CLIENT = { id: 'node-host', mode: 'node', platform: 'web', version: '1' } as const;
/** Refusals that come out the same however often one asks. */
const FINAL = /^(?:AUTH_(?!RATE_LIMITED)|DEVICE_AUTH|PROTOCOL_MISMATCH|PAIRING_|CONTROL_UI)/;

interface Frame {
  readonly type: string;
  readonly id?: string;
  readonly event?: string;
  readonly ok?: boolean;
  readonly payload?: unknown;
  readonly error?: { readonly message?: string; readonly details?: { readonly code?: string } };
}

interface Now {
  socket?: WebSocket;
  refused?: LinkError;
  ready: boolean;
  /** Refused for good: only a person starts it again. */
  isFinal: boolean;
  failures: number;
  lastAt: number;
  silentMs: number;
}

export function createLink(deps: LinkDeps): Link {
  const asked = new Map<string, { resolve(payload: never): void; reject(error: LinkError): void }>();
  const now: Now = { ready: false, isFinal: false, silentMs: Infinity, failures: 0, lastAt: 0 };
  const timers: { retry?: ReturnType<typeof setTimeout>; silence?: ReturnType<typeof setInterval> } = {};

  function call<T>(method: string, params: unknown): Promise<T> {
    const { socket } = now;
    if (socket?.readyState !== WebSocket.OPEN)
      return Promise.reject(new LinkError('DISCONNECTED', 'The connection to the gateway was lost.'));
    const id = crypto.randomUUID();
    return new Promise<T>((resolve, reject) => {
      asked.set(id, { resolve, reject });
      socket.send(JSON.stringify({ type: 'req', id, method, params }));
    });
  }

  function drop(): void {
    const { socket } = now;
    delete now.socket;
    now.ready = false;
    clearTimeout(timers.retry);
    clearInterval(timers.silence);
    for (const { reject } of asked.values())
      reject(new LinkError('DISCONNECTED', 'The connection to the gateway was lost.'));
    asked.clear();
    socket?.close(1000);
  }

  function lost(reason: string): void {
    const { refused } = now;
    drop();
    now.isFinal = refused !== undefined && FINAL.test(refused.code);
    if (refused && now.isFinal)
      return deps.onState({ kind: 'refused', code: refused.code, message: refused.message });
    deps.onState({ kind: 'waiting', reason: refused?.message ?? reason });
    timers.retry = setTimeout(start, jittered(backoff(RETRY, now.failures++), [0.6, 1], Math.random()));
  }

  async function greet(socket: WebSocket, challenge: Challenge): Promise<void> {
    const credentials = deps.credentials();
    const params = await connectParams(challenge, credentials, deps);
    if (socket !== now.socket) return;
    try {
      const hello = await call<Hello>('connect', params);
      now.ready = true;
      now.failures = 0;
      const { deviceToken } = hello.auth;
      if (deviceToken && deviceToken !== credentials.deviceToken) deps.gotToken(deviceToken);
      watch(hello.policy.tickIntervalMs);
      deps.onState({ kind: 'connected' });
    } catch (cause) {
      if (!(cause instanceof LinkError)) throw cause;
      if (cause.code === 'DISCONNECTED') return;
      now.refused = cause;
      // A token that is dead is forgotten; an invitation that lies ready takes its place with the next attempt.
      if (credentials.deviceToken !== undefined && /TOKEN_MISMATCH$/.test(cause.code)) {
        deps.gotToken(undefined);
        if (deps.credentials().bootstrapToken !== undefined) delete now.refused;
      }
      if (socket === now.socket) lost('');
    }
  }

  /** A gateway that says nothing for two ticks is gone, whatever the network thinks. */
  function watch(tickMs: number): void {
    now.silentMs = tickMs * 2.5;
    timers.silence = setInterval(checkSilence, tickMs);
  }

  function checkSilence(): void {
    if (now.ready && Date.now() - now.lastAt > now.silentMs) lost('The gateway stopped responding.');
  }

  function heard(socket: WebSocket, frame: Frame): void {
    now.lastAt = Date.now();
    if (frame.type === 'res' && frame.id !== undefined) {
      const one = asked.get(frame.id);
      asked.delete(frame.id);
      if (frame.ok) one?.resolve(frame.payload as never);
      else
        one?.reject(
          new LinkError(frame.error?.details?.code ?? 'REFUSED', frame.error?.message ?? 'The gateway refused.'),
        );
    } else if (frame.event === 'connect.challenge') void greet(socket, frame.payload as Challenge);
    else if (frame.event !== undefined) deps.onEvent(frame.event, frame.payload);
  }

  function start(): void {
    if (now.ready && now.socket?.readyState === WebSocket.OPEN) return;
    drop();
    delete now.refused;
    now.isFinal = false;
    deps.onState({ kind: 'connecting' });
    const socket = new WebSocket(deps.url);
    now.socket = socket;
    socket.onmessage = ({ data }) => socket === now.socket && heard(socket, JSON.parse(String(data)) as Frame);
    socket.onclose = ({ reason }) => socket === now.socket && lost(reason || 'The gateway does not answer.');
  }

  return {
    start,
    stop: drop,
    wake() {
      checkSilence();
      if (!now.ready && !now.isFinal) start();
    },
    call,
    get connected() {
      return now.ready;
    },
  };
}

interface Challenge {
  readonly nonce: string;
  readonly ts: number;
}

interface Hello {
  readonly auth: { readonly deviceToken?: string };
  readonly policy: { readonly tickIntervalMs: number };
}

async function connectParams(
  { nonce, ts }: Challenge,
  { deviceToken, bootstrapToken }: Credentials,
  { identity, offer }: Pick<LinkDeps, 'identity' | 'offer'>,
): Promise<object> {
  const { name, deviceFamily, caps, commands, permissions } = offer();
  const auth = deviceToken !== undefined ? { deviceToken } : { bootstrapToken };
  const signature = await identity.sign(
    proofTextV3({
      deviceId: identity.id,
      clientId: CLIENT.id,
      clientMode: CLIENT.mode,
      role: 'node',
      scopes: [],
      signedAt: ts,
      token: deviceToken ?? bootstrapToken ?? '',
      nonce,
      platform: CLIENT.platform,
      deviceFamily,
    }),
  );
  return {
    minProtocol: PROTOCOL,
    maxProtocol: PROTOCOL,
    client: { ...CLIENT, displayName: name, deviceFamily },
    role: 'node',
    scopes: [],
    caps,
    commands,
    permissions,
    auth,
    device: { id: identity.id, publicKey: identity.publicKey, signature, signedAt: ts, nonce },
  };
}
