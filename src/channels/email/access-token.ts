/** Access tokens of a mailbox: printed by a command, or exchanged for a refresh token, and kept until they end. */
import { createHash } from 'node:crypto';
import {
  AppError,
  head,
  httpCall,
  present,
  runProgram,
  type ChannelAccount,
  type HttpAnswer,
} from '../../sdk/index.ts';
import { readState, removeState, writeState } from '../../sdk/state-file.ts';
import type { EmailConfig } from './config.ts';
import type { Secret, ServerLogin } from './login.ts';
import { tokenUrlOf } from './token-services.ts';

/** Without `stateDir`, as when settings are tried out, a new refresh token is not kept: the one before stays valid. */
type Account = Pick<ChannelAccount<EmailConfig>, 'config' | 'credentials' | 'signal' | 'log'> &
  Partial<Pick<ChannelAccount<EmailConfig>, 'stateDir'>>;

interface Token {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

const CALL_MS = 15_000;
const COMMAND_MS = 30_000;
const MAX_BYTES = 64 * 1024;
/** A command does not say how long its token lasts; one that ended is noticed by the refusal. */
const PRINTED_MS = 5 * 60_000;
/** Before its end, so that none ends on its way. */
const EARLY_MS = 60_000;
const DEFAULT_SECONDS = 3600;
/** What is in it ends up in a command of IMAP and SMTP. */
const TOKEN = /^[\x21-\x7e]{1,16000}$/;
/** Services replace refresh tokens: the newest is kept here, for the one of the settings that it came from. */
const FILE = 'refresh-token.json';

export function createTokens(account: Account): ServerLogin['secret'] {
  const state: { current?: Token; asking?: Promise<Token> | undefined } = {};
  const ask = async (): Promise<Token> => {
    try {
      return await (account.config.tokenCommand ? printed(account, account.config.tokenCommand) : exchanged(account));
    } finally {
      state.asking = undefined;
    }
  };
  return async ({ renew } = { renew: false }): Promise<Secret> => {
    const { current } = state;
    if (!renew && current && current.until > Date.now()) return { kind: 'token', token: current.token, isNew: false };
    state.asking ??= ask();
    state.current = await state.asking;
    return { kind: 'token', token: state.current.token, isNew: true };
  };
}

/** What logging out removes beside the settings. */
export const forgetTokens = ({ stateDir }: Pick<ChannelAccount<EmailConfig>, 'stateDir'>): Promise<void> =>
  removeState(stateDir, FILE);

async function printed({ signal }: Account, [command = '', ...args]: readonly string[]): Promise<Token> {
  const output = await runProgram({ command, args, timeoutMs: COMMAND_MS, maxOutputBytes: MAX_BYTES, signal }).catch(
    (error: unknown) => {
      if (!(error instanceof AppError) || error.code === 'aborted') throw error;
      // Whatever it was, no mail has left.
      throw new AppError('unavailable', `channels.email.tokenCommand: ${error.message}`, { cause: error });
    },
  );
  const token = output.toString('utf8').trim();
  if (!TOKEN.test(token))
    throw new AppError(
      'auth',
      `channels.email.tokenCommand (${command}) has to print an access token and nothing else.`,
    );
  return { token, until: Date.now() + PRINTED_MS };
}

async function exchanged(account: Account): Promise<Token> {
  const { config, credentials, signal, stateDir, log } = account;
  const url = tokenUrlOf(config);
  if (url === undefined || config.clientId === undefined)
    throw new AppError(
      'invalid',
      `Set channels.email.${url === undefined ? 'tokenUrl' : 'clientId'}, or channels.email.tokenCommand.`,
    );
  const configured = credentials['refreshToken'] ?? '';
  const newest = stateDir === undefined ? configured : await newestOf(stateDir, configured);
  const form = {
    grant_type: 'refresh_token',
    refresh_token: newest,
    client_id: config.clientId,
    ...present({ client_secret: credentials['clientSecret'], scope: config.tokenScope }),
  };
  const answer = await httpCall({
    service: hostOf(url),
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
    timeoutMs: CALL_MS,
    maxBytes: MAX_BYTES,
    signal,
  }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code === 'aborted') throw error;
    throw new AppError('unavailable', error.message, { cause: error }); // of the mail nothing has left
  });
  const { token, seconds, next } = readAnswer(answer, url);
  if (stateDir !== undefined && next !== undefined && next !== newest)
    await writeState(stateDir, FILE, { of: markOf(configured), token: next }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      log.warn('email.token', { code: error.code, reason: error.message }); // the one before mostly goes on working
    });
  return { token, until: Date.now() + Math.max(seconds * 1000 - EARLY_MS, 1000) };
}

interface Exchanged {
  readonly token: string;
  readonly seconds: number;
  readonly next: string | undefined;
}

/** Never shows what was sent: of an error its code alone is told. */
function readAnswer({ status, json }: HttpAnswer, url: string): Exchanged {
  const body = (json() ?? {}) as Readonly<Record<string, unknown>>;
  const { access_token: token, refresh_token: next, expires_in: seconds } = body;
  if (status === 200 && typeof token === 'string' && TOKEN.test(token))
    return {
      token,
      seconds: Number(seconds) > 0 ? Number(seconds) : DEFAULT_SECONDS,
      next: typeof next === 'string' && TOKEN.test(next) ? next : undefined,
    };
  const host = hostOf(url);
  if (status >= 500 || status === 429)
    throw new AppError('unavailable', `${host} gives no access token at the moment (${status}).`);
  const code = typeof body['error'] === 'string' ? body['error'] : '';
  if (code === '') throw new AppError('unavailable', `${host} answers without an access token (${status}).`);
  const said = head([code, /AADSTS\d+/.exec(String(body['error_description']))?.[0]].filter(Boolean).join(', '), 80);
  throw new AppError('auth', `${host} gives no access token (${said}). ${adviceOn(code)}`);
}

const adviceOn = (code: string): string =>
  code === 'invalid_grant'
    ? 'The refresh token has ended or was revoked: grant access again and set channels.email.refreshToken.'
    : code === 'invalid_client' || code === 'unauthorized_client'
      ? 'Check channels.email.clientId and clientSecret.'
      : 'Check channels.email.clientId, clientSecret, tokenScope and tokenUrl.';

async function newestOf(stateDir: string, configured: string): Promise<string> {
  const { of, token } = ((await readState(stateDir, FILE)) ?? {}) as {
    readonly of?: unknown;
    readonly token?: unknown;
  };
  return of === markOf(configured) && typeof token === 'string' && TOKEN.test(token) ? token : configured;
}

const markOf = (configured: string): string => createHash('sha256').update(configured).digest('base64url');
const hostOf = (url: string): string => new URL(url).host;
