/** Hands a mail to the SMTP server, and tells apart what was refused, what never left and what nobody knows. */
import { Readable } from 'node:stream';
import type SmtpConnectionType from 'nodemailer/lib/smtp-connection';
import type { SMTPConnectionCustomAuthContext } from 'nodemailer/lib/smtp-connection';
import { AppError, present } from '../../sdk/index.ts';
import type { EmailConfig } from './config.ts';
import { CERTIFICATE, missing, trustedBy } from './imap-line.ts';
import { loggedIn, noTokensThere, refusedLogin, userOf, type Secret, type ServerLogin } from './login.ts';

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

const CONNECT_MS = 15_000;
const SILENCE_MS = 60_000;
const WAIT_MS = 60_000;
/** Not `XOAUTH2`: for that the library takes the first method of the server where it has no source of tokens. */
const BY_TOKEN = 'ACCESS-TOKEN';

export async function loadSmtp(): Promise<typeof SmtpConnectionType> {
  try {
    return (await import('nodemailer/lib/smtp-connection')).default;
  } catch (error) {
    throw missing('nodemailer', error);
  }
}

export interface OutgoingMail {
  readonly envelope: Envelope;
  readonly raw: Buffer;
}

/** `refused`: recipients not taken, once the server has the mail for the others. `sent`: the whole mail had left. */
export type Handed = { readonly refused: readonly string[] } | { readonly error: unknown; readonly sent: boolean };

/** One mail over a connection, which may be used again where nothing went wrong. */
export async function handOver(
  connection: SmtpConnectionType,
  { login, signal }: { readonly login: ServerLogin; readonly signal: AbortSignal },
  { envelope, raw }: OutgoingMail,
): Promise<Handed> {
  const sent = { whole: false };
  const content = Readable.from([raw]).on('end', () => (sent.whole = true));
  try {
    const { rejected } = await answerOf<{ readonly rejected?: readonly string[] }>(connection, signal, (done) =>
      connection.send({ from: envelope.from, to: [...envelope.to], size: raw.length }, content, done),
    );
    return { refused: rejected ?? [] };
  } catch (error) {
    return { error: smtpError(error, login.config, sent.whole), sent: sent.whole };
  }
}

/** Whether the server lets us in. */
export async function checkSmtp(login: ServerLogin, signal: AbortSignal): Promise<void> {
  (await openSmtp(login, signal)).quit();
}

/** Logged in. Rejects with `AppError`. */
export const openSmtp = (login: ServerLogin, signal: AbortSignal): Promise<SmtpConnectionType> =>
  loggedIn(login, (secret) => opened({ config: login.config, secret }, signal));

interface Attempt {
  readonly config: EmailConfig;
  readonly secret: Secret;
}

async function opened({ config, secret }: Attempt, signal: AbortSignal): Promise<SmtpConnectionType> {
  const Connection = await loadSmtp();
  const ca = await trustedBy(config);
  signal.throwIfAborted();
  const secure = config.smtpSecurity === 'tls';
  const offers = { tokens: true };
  const connection = new Connection({
    host: config.smtpHost,
    port: config.smtpPort ?? (secure ? 465 : 587),
    secure,
    requireTLS: config.smtpSecurity === 'starttls',
    ignoreTLS: config.smtpSecurity === 'none',
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    tls: { minVersion: 'TLSv1.2', ...present({ ca }) },
    allowInternalNetworkInterfaces: true,
    customAuth: { [BY_TOKEN]: (login) => byToken(login, offers) },
  });
  connection.on('error', () => undefined); // what it was doing fails with it
  try {
    await answerOf(connection, signal, (done) => connection.connect(done));
    const user = userOf(config);
    const who =
      secret.kind === 'password'
        ? { credentials: { user, pass: secret.password } }
        : { method: BY_TOKEN, user, token: secret.token };
    await answerOf(connection, signal, (done) => connection.login(who, done));
    return connection;
  } catch (error) {
    connection.close();
    const host = `The SMTP server ${config.smtpHost}`;
    if (!offers.tokens) throw noTokensThere(host);
    throw isRefusedLogin(error) ? refusedLogin(host, { config, secret }) : smtpError(error, config, false);
  }
}

/** The access token in one command; a refusal comes in two answers, of which the second is its end. */
async function byToken(
  { auth, authMethods, sendCommand }: SMTPConnectionCustomAuthContext,
  offers: { tokens: boolean },
): Promise<void> {
  offers.tokens = authMethods.includes('XOAUTH2');
  if (!offers.tokens) throw new Error('XOAUTH2 is not offered');
  const proof = Buffer.from(`user=${auth.user ?? ''}\u0001auth=Bearer ${String(auth['token'])}\u0001\u0001`);
  const first = await sendCommand(`AUTH XOAUTH2 ${proof.toString('base64')}`);
  const last = first.status === 334 ? await sendCommand('') : first;
  if (last.status !== 235) throw new Error(last.text);
}

const isRefusedLogin = (error: unknown): boolean => {
  const { code, responseCode } = (error ?? {}) as Failure;
  return !(error instanceof AppError) && (responseCode === 535 || (code === 'EAUTH' && (responseCode ?? 500) >= 500));
};

/** The answer to one step; also where the connection ends instead. */
function answerOf<T>(
  connection: SmtpConnectionType,
  signal: AbortSignal,
  step: (done: (error?: Error | null, answer?: unknown) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(error);
    const ended = (): void => reject(new Error('the connection ended'));
    const stopped = (): void => (connection.close(), reject(new AppError('aborted', 'The account was closed.')));
    connection.once('error', failed);
    connection.once('end', ended);
    signal.addEventListener('abort', stopped, { once: true });
    step((error, answer) => {
      connection.off('error', failed);
      connection.off('end', ended);
      signal.removeEventListener('abort', stopped);
      if (error) reject(error);
      else resolve(answer as T);
    });
  });
}

interface Failure {
  readonly code?: unknown;
  readonly responseCode?: number;
  readonly response?: unknown;
  readonly message?: unknown;
}

/** `sent`: the whole mail had left. */
function smtpError(error: unknown, config: EmailConfig, sent: boolean): AppError {
  if (error instanceof AppError) return error;
  const { code, responseCode, response, message } = (error ?? {}) as Failure;
  const said = String(response ?? message ?? code)
    .replace(/\s+/g, ' ')
    .slice(0, 200);
  const host = `The SMTP server ${config.smtpHost}`;
  if (responseCode === undefined) return brokenOff({ error, code: String(code), said, host, sent });
  if (responseCode === 421) return new AppError('unavailable', `${host} does not work at the moment: ${said}`);
  if (responseCode < 500)
    return new AppError('rate_limited', `${host} asks to try later: ${said}`, { retryAfterMs: waitIn(said) });
  if (responseCode === 552 || /\b5\.3\.4\b/.test(said)) return new AppError('too_large', `${host} refused it: ${said}`);
  if (/\b5\.1\.[123]\b/.test(said)) return new AppError('not_found', `There is no such mailbox: ${said}`);
  return new AppError('denied', `${host} refused it: ${said}`);
}

/** Greylisting says how long, or a minute is enough for most. */
function waitIn(said: string): number {
  const seconds = Number(/\b(\d{1,4}) ?s(?:ec|\b)/i.exec(said)?.[1]);
  return seconds > 0 ? seconds * 1000 : WAIT_MS;
}

interface BrokenOff {
  readonly error: unknown;
  readonly code: string;
  readonly said: string;
  readonly host: string;
  readonly sent: boolean;
}

function brokenOff({ error, code, said, host, sent }: BrokenOff): AppError {
  if (sent)
    return new AppError('timeout', `${host} did not confirm the mail; it may have been sent.`, { cause: error });
  const advice =
    CERTIFICATE.test(code) || /certificate|self.signed/i.test(said)
      ? ' If the server uses its own certificate, name its file in channels.email.tlsCaFile.'
      : '';
  return new AppError('unavailable', `${host} cannot be used: ${said}.${advice}`, { cause: error });
}
