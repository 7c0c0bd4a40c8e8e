/** The connection to the gateway with the node role: authenticates with the key, and reconnects. */
import { backoff, jittered } from '../../../core/backoff.ts';
import { proofTextV3 } from '../../../protocol/device-proof.ts';
import type { Identity } from './identity.ts';

/** The credentials of the node: its device token, or the secret of an invitation. */
export interface Credentials {
  readonly deviceToken?: string | undefined;
  readonly bootstrapToken?: string | undefined;
}

/** The capabilities and commands that the node declares. */
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
  /** Only a person can resolve this. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

export interface LinkDeps {
  /** Of the gateway's WebSocket. */
  readonly url: string;
  readonly identity: Identity;
  offer(): Offer;
  credentials(): Credentials;
  /** A new token; undefined: the current one is no longer valid. */
  gotToken(token: string | undefined): void;
  onState(state: LinkState): void;
  onEvent(event: string, payload: unknown): void;
}

/** An error of the gateway; `code` is `DISCONNECTED` if no answer can arrive. */
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
/** Error codes for which a retry is useless. */
const FINAL = /^(?:AUTH_(?!RATE_LIMITED)|DEVICE_AUTH|PROTOCOL_MISMATCH|PAIRING_|CONTROL_UI)/;

interface Frame {
  readonly type: string;
  readonly id?: string;
  readonly event?: string;
  readonly ok?: boolean;
  readonly payload?: unknown;
  readonly error?: { readonly message?: string; readonly details?: { readonly code?: string } };
}

/** Connects after `start`, and reconnects automatically. */
export class Link {
  readonly #deps: LinkDeps;
  readonly #pending = new Map<string, { resolve(payload: never): void; reject(error: LinkError): void }>();
  #socket: WebSocket | undefined;
  #refused: LinkError | undefined;
  #ready = false;
  /** Permanently rejected: only a person starts it again. */
  #isFinal = false;
  #failures = 0;
  #lastAt = 0;
  #silentMs = Infinity;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setInterval> | undefined;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
  }

  get connected(): boolean {
    return this.#ready;
  }

  /** Connects; ends a wait before the next attempt. */
  start(): void {
    if (this.#ready && this.#socket?.readyState === WebSocket.OPEN) return;
    this.stop();
    this.#refused = undefined;
    this.#isFinal = false;
    this.#deps.onState({ kind: 'connecting' });
    const socket = new WebSocket(this.#deps.url);
    this.#socket = socket;
    socket.onmessage = ({ data }) =>
      socket === this.#socket && this.#onFrame(socket, JSON.parse(String(data)) as Frame);
    socket.onclose = ({ reason }) => socket === this.#socket && this.#lost(reason || 'The gateway does not answer.');
  }

  stop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#ready = false;
    clearTimeout(this.#retry);
    clearInterval(this.#silence);
    for (const { reject } of this.#pending.values()) reject(disconnected());
    this.#pending.clear();
    socket?.close(1000);
  }

  /** The page is active again: closes a connection that was silent for too long, and ends a wait. */
  wake(): void {
    this.#checkSilence();
    if (!this.#ready && !this.#isFinal) this.start();
  }

  /** Rejects with `LinkError` if the gateway rejects the request or is not reachable. */
  call<T>(method: string, params: unknown): Promise<T> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(disconnected());
    const id = crypto.randomUUID();
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      socket.send(JSON.stringify({ type: 'req', id, method, params }));
    });
  }

  #lost(reason: string): void {
    const refused = this.#refused;
    this.stop();
    this.#isFinal = refused !== undefined && FINAL.test(refused.code);
    if (refused && this.#isFinal)
      return this.#deps.onState({ kind: 'refused', code: refused.code, message: refused.message });
    this.#deps.onState({ kind: 'waiting', reason: refused?.message ?? reason });
    this.#retry = setTimeout(() => this.start(), jittered(backoff(RETRY, this.#failures++), [0.6, 1], Math.random()));
  }

  async #greet(socket: WebSocket, challenge: Challenge): Promise<void> {
    const credentials = this.#deps.credentials();
    const params = await connectParams(challenge, credentials, this.#deps);
    if (socket !== this.#socket) return;
    try {
      const hello = await this.call<Hello>('connect', params);
      this.#ready = true;
      this.#failures = 0;
      const { deviceToken } = hello.auth;
      if (deviceToken && deviceToken !== credentials.deviceToken) this.#deps.gotToken(deviceToken);
      this.#silentMs = hello.policy.tickIntervalMs * 2.5;
      this.#silence = setInterval(() => this.#checkSilence(), hello.policy.tickIntervalMs);
      this.#deps.onState({ kind: 'connected' });
    } catch (cause) {
      if (!(cause instanceof LinkError)) throw cause;
      if (cause.code === 'DISCONNECTED' || socket !== this.#socket) return;
      this.#refused = this.#isOldToken(cause, credentials) ? undefined : cause;
      this.#lost('');
    }
  }

  /** Discards an invalid token, so that the next attempt uses the invitation if there is one. */
  #isOldToken({ code }: LinkError, { deviceToken }: Credentials): boolean {
    if (deviceToken === undefined || !code.endsWith('TOKEN_MISMATCH')) return false;
    this.#deps.gotToken(undefined);
    return this.#deps.credentials().bootstrapToken !== undefined;
  }

  /** A gateway that sends nothing for two ticks counts as disconnected, because the network may not report it. */
  #checkSilence(): void {
    if (this.#ready && Date.now() - this.#lastAt > this.#silentMs) this.#lost('The gateway stopped responding.');
  }

  #onFrame(socket: WebSocket, frame: Frame): void {
    this.#lastAt = Date.now();
    if (frame.type === 'res' && frame.id !== undefined) {
      const one = this.#pending.get(frame.id);
      this.#pending.delete(frame.id);
      if (frame.ok) one?.resolve(frame.payload as never);
      else one?.reject(refusalOf(frame));
    } else if (frame.event === 'connect.challenge') void this.#greet(socket, frame.payload as Challenge);
    else if (frame.event !== undefined) this.#deps.onEvent(frame.event, frame.payload);
  }
}

const disconnected = (): LinkError => new LinkError('DISCONNECTED', 'The connection to the gateway was lost.');

const refusalOf = ({ error }: Frame): LinkError =>
  new LinkError(error?.details?.code ?? 'REFUSED', error?.message ?? 'The gateway refused.');

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
