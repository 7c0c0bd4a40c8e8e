/** The Bot API client with our own errors; separate clients for calls, long polls and uploads. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Api, type RawApi } from 'grammy';
import { AppError, present } from '../../sdk/index.ts';
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
  readonly proxy: string | undefined;
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
  /** Address of an HTTP proxy. */
  readonly proxy: string | undefined;
  readonly timeoutSeconds: number;
  /** Called with every `auth` error: the token is not accepted any more. */
  readonly onRevoked: (error: AppError) => void;
}

/** Every method rejects with `AppError`; nothing is repeated here, so that an unknown outcome reaches the outbox. */
export function createApi({ token, apiRoot, proxy, timeoutSeconds, onRevoked }: ApiOptions): TelegramApi {
  const root = apiRoot.replace(/(?<!\/)\/+$/, '');
  const agent = new (root.startsWith('https:') ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    timeout: IDLE_MS,
    ...present({ proxyEnv: proxy === undefined ? undefined : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
  });
  const client = (timeoutSeconds: number): Methods =>
    withOurErrors(new Api(token, { apiRoot: root, timeoutSeconds, baseFetchConfig: { agent } }), onRevoked)
      .raw as Methods;
  return {
    calls: client(timeoutSeconds),
    polls: client(POLL_SECONDS + POLL_GRACE_SECONDS),
    uploads: client(Math.max(UPLOAD_SECONDS, timeoutSeconds)),
    apiRoot: root,
    token,
    proxy,
    [Symbol.dispose]: () => agent.destroy(),
  };
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
