/**
 * The bot's token for the Bot Connector, renewed after half of its lifetime, which also proves that the credentials are
 * valid.
 */
import { AppError, head, httpCall, pause } from '../../sdk/index.ts';
import type { TeamsConfig } from './config.ts';

export interface Token extends AsyncDisposable {
  get(): Promise<string>;
}

export interface TokenOptions {
  readonly config: TeamsConfig;
  readonly appId: string;
  readonly secret: string;
  readonly signal: AbortSignal;
  onRenewed(): void;
  onFailed(error: AppError): void;
}

const SCOPE = 'https://api.botframework.com/.default';
const CALL_MS = 15_000;
const RETRY_MS = 30_000;
const MIN_MS = 200;

export const CREDENTIALS_FIX =
  'Set the id, the client secret and the tenant of the Azure bot: channels.msteams.appId, appPassword (or ' +
  'appPasswordFile, MSTEAMS_APP_PASSWORD) and tenantId.';

/** Rejects with `auth` where the credentials are refused. */
export async function openToken(options: TokenOptions): Promise<Token> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const state = await fetched(options);
  const running = renew(options, state, signal);
  return {
    async get() {
      if (state.until <= Date.now()) Object.assign(state, await fetched(options));
      return state.token;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

interface Current {
  token: string;
  /** Milliseconds since the epoch. */
  until: number;
}

async function renew(options: TokenOptions, state: Current, signal: AbortSignal): Promise<void> {
  for (let delay = halfOf(state); await pause(delay, signal); ) {
    try {
      Object.assign(state, await fetched(options));
      options.onRenewed();
      delay = halfOf(state);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (signal.aborted) return;
      options.onFailed(error);
      delay = RETRY_MS;
    }
  }
}

const halfOf = ({ until }: Current): number => Math.max((until - Date.now()) / 2, MIN_MS);

async function fetched({ config, appId, secret, signal }: TokenOptions): Promise<Current> {
  const form = { grant_type: 'client_credentials', client_id: appId, client_secret: secret, scope: SCOPE };
  const answer = await httpCall({
    service: 'the login of Microsoft',
    method: 'POST',
    url: `${config.loginUrl.replace(/(?<!\/)\/+$/, '')}/${config.tenantId}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    timeoutMs: CALL_MS,
    signal,
  });
  const body = (answer.json() ?? {}) as Readonly<Record<string, unknown>>;
  if (answer.status === 200 && typeof body['access_token'] === 'string')
    return { token: body['access_token'], until: Date.now() + Number(body['expires_in'] ?? 3600) * 1000 };
  const said = /AADSTS\d+/.exec(String(body['error_description']))?.[0] ?? String(body['error'] ?? answer.status);
  if (answer.status >= 500 || answer.status === 429)
    throw new AppError('unavailable', `The login of Microsoft does not work at the moment (${answer.status}).`);
  throw new AppError(
    'auth',
    `Microsoft does not accept the credentials of the bot (${head(said, 60)}). ${CREDENTIALS_FIX}`,
  );
}
