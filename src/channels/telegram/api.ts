/** The Bot API client with our own errors; separate clients for calls, long polls and uploads. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Api, type RawApi } from 'grammy';
import type { ProxyAgent } from 'undici';
import { AppError, present, thrownAway } from '../../sdk/index.ts';
import { refusalError, transportError } from './errors.ts';

/** The library's methods, stopped by a signal of Node's own; its types know only that of an old substitute. */
export type Methods = {
  readonly [M in keyof RawApi]: RawApi[M] extends (args: infer A, signal?: never) => infer R
    ? (args: A, signal?: AbortSignal) => R
    : never;
};

export interface TelegramApi extends Disposable {
  readonly calls: Methods;
  /** Long polls and nothing else. */
  readonly polls: Methods;
  readonly uploads: Methods;
  readonly apiRoot: string;
  readonly token: string;
  /** A request outside the API's methods, by the same way. */
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** Seconds a long poll stays open. */
export const POLL_SECONDS = 30;
const POLL_GRACE_SECONDS = 15;
const UPLOAD_SECONDS = 300;
/**
 * An idle connection is given up before the server does it: a request that meets its end would be of unknown outcome.
 */
const IDLE_MS = 30_000;

export interface ApiOptions {
  readonly token: string;
  readonly apiRoot: string;
  readonly timeoutSeconds: number;
  /** Address of an HTTP proxy. */
  readonly proxy?: string | undefined;
  /** Called with every `auth` error: the token is not accepted any more. */
  readonly onRevoked: (error: AppError) => void;
}

/** Every method rejects with `AppError`; nothing is repeated here, so that an unknown outcome reaches the outbox. */
export function createApi({ token, apiRoot, timeoutSeconds, proxy, onRevoked }: ApiOptions): TelegramApi {
  const root = apiRoot.replace(/(?<!\/)\/+$/, '');
  if (proxy !== undefined) insistOnProxyAbility();
  const agent = new (root.startsWith('https:') ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    timeout: IDLE_MS,
    ...present({ proxyEnv: proxy === undefined ? undefined : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
  });
  const tunnel = proxy === undefined ? undefined : createTunnel(proxy);
  const client = (timeoutSeconds: number): Methods =>
    withOurErrors(new Api(token, { apiRoot: root, timeoutSeconds, baseFetchConfig: { agent } }), onRevoked)
      .raw as Methods;
  return {
    calls: client(timeoutSeconds),
    polls: client(POLL_SECONDS + POLL_GRACE_SECONDS),
    uploads: client(Math.max(UPLOAD_SECONDS, timeoutSeconds)),
    apiRoot: root,
    token,
    fetch: (url, init) => (tunnel ? tunnel.fetch(url, init) : fetch(url, init)),
    [Symbol.dispose]() {
      agent.destroy();
      tunnel?.[Symbol.dispose]();
    },
  };
}

/** Downloads are requests of Node itself, which takes another kind of agent; it loads with the first one. */
function createTunnel(proxy: string): Pick<TelegramApi, 'fetch'> & Disposable {
  const made: { agent?: Promise<ProxyAgent> } = {};
  return {
    async fetch(url, init) {
      made.agent ??= import('undici').then((undici) => new undici.ProxyAgent(proxy));
      const withAgent: object = { ...init, dispatcher: await made.agent };
      return fetch(url, withAgent);
    },
    [Symbol.dispose]: () => void thrownAway(made.agent?.then((agent) => agent.close())),
  };
}

/** Before it, Node's agents ignore that they were given a proxy, and would go around it. */
function insistOnProxyAbility(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 5)) return;
  throw new AppError('unsupported', `channels.telegram.proxy needs Node 24.5; this is ${process.versions.node}.`);
}

function withOurErrors(api: Api, onRevoked: ApiOptions['onRevoked']): Api {
  api.config.use(async (call, method, payload, signal) => {
    const answer = await call(method, payload, signal).catch((thrown: unknown) => {
      throw transportError(method, thrown, signal);
    });
    if (answer.ok) return answer;
    const error =
      typeof answer.error_code === 'number'
        ? refusalError(method, { ...answer, description: String(answer.description) })
        : new AppError('bad_response', `Telegram returned an invalid response to ${method}.`);
    if (error.code === 'auth') onRevoked(error);
    throw error;
  });
  return api;
}
