/** One connection to the IMAP server: opened with its folder, and every failure of it as ours. */
import type * as imapflow from 'imapflow';
import type { ImapFlow, MailboxObject } from 'imapflow';
import { AppError, present, trustedWith } from '../../sdk/index.ts';
import type { EmailConfig } from './config.ts';
import { loggedIn, noTokensThere, refusedLogin, userOf, type Secret, type ServerLogin } from './login.ts';

export interface ImapLine extends AsyncDisposable {
  readonly client: ImapFlow;
  readonly folder: MailboxObject;
  /** Resolves when the connection is over, however it ended. */
  readonly closed: Promise<void>;
}

const CONNECT_MS = 15_000;
/** Nothing came for so long: the connection is dead. IDLE is begun again before that. */
const SILENCE_MS = 4 * 60_000;
const IDLE_MS = 3 * 60_000;
/** One answer of the server in memory. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const CLOSE_MS = 2000;

export async function loadImap(): Promise<typeof imapflow> {
  try {
    return await import('imapflow');
  } catch (error) {
    throw missing('imapflow', error);
  }
}

export const missing = (name: string, cause: unknown): AppError =>
  new AppError(
    'unavailable',
    `E-mail needs the package ${name}, which is not installed. Run \`npm install ${name}\` where the gateway is ` +
      'installed, then restart it.',
    { cause },
  );

/** What the certificate of a server is checked against; undefined: what the system trusts. */
export const trustedBy = async ({ tlsCaFile }: EmailConfig): Promise<string[] | undefined> =>
  tlsCaFile === undefined ? undefined : trustedWith(tlsCaFile);

/** Rejects with `AppError`: `auth` where the login is refused. */
export const openImap = (login: ServerLogin, signal: AbortSignal): Promise<ImapLine> =>
  loggedIn(login, (secret) => open({ config: login.config, secret }, signal));

interface Attempt {
  readonly config: EmailConfig;
  readonly secret: Secret;
}

async function open({ config, secret }: Attempt, signal: AbortSignal): Promise<ImapLine> {
  const { ImapFlow } = await loadImap();
  const ca = await trustedBy(config);
  signal.throwIfAborted();
  const secure = config.imapSecurity === 'tls';
  const client = new ImapFlow({
    host: config.imapHost,
    port: config.imapPort ?? (secure ? 993 : 143),
    secure,
    ...present({ doSTARTTLS: secure ? undefined : config.imapSecurity === 'starttls' }),
    auth: {
      user: userOf(config),
      ...(secret.kind === 'password' ? { pass: secret.password } : { accessToken: secret.token }),
    },
    tls: { minVersion: 'TLSv1.2', ...present({ ca }) },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    maxIdleTime: IDLE_MS,
    maxLiteralSize: MAX_ANSWER_BYTES,
  });
  const closed = Promise.withResolvers<void>();
  client.on('close', () => closed.resolve());
  client.on('error', () => client.close()); // what it was doing rejects with it
  const stop = (): void => client.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    const folder = await client.mailboxOpen(config.mailbox);
    return { client, folder, closed: closed.promise, [Symbol.asyncDispose]: () => close(client) };
  } catch (error) {
    client.close();
    throw signal.aborted
      ? new AppError('aborted', 'The connection was given up.', { cause: error })
      : loginError(error, client, { config, secret });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const TOKEN_LOGINS = ['AUTH=XOAUTH2', 'AUTH=XOAUTH', 'AUTH=OAUTHBEARER'];

function loginError(error: unknown, { authenticated, capabilities }: ImapFlow, attempt: Attempt): AppError {
  const { config, secret } = attempt;
  const host = `The IMAP server ${config.imapHost}`;
  const offersTokens = TOKEN_LOGINS.some((name) => capabilities.has(name));
  if (secret.kind === 'token' && !authenticated && capabilities.has('IMAP4REV1') && !offersTokens)
    return noTokensThere(host);
  return isRefusedLogin(error) ? refusedLogin(host, attempt) : imapError(error, config);
}

const isRefusedLogin = (error: unknown): boolean => {
  const { authenticationFailed, serverResponseCode } = (error ?? {}) as Failure;
  return authenticationFailed === true && !BUSY.has(String(serverResponseCode));
};

async function close(client: ImapFlow): Promise<void> {
  const timer = setTimeout(() => client.close(), CLOSE_MS);
  try {
    if (client.usable) await client.logout();
  } catch (error) {
    if (!(error instanceof Error)) throw error; // it is over all the same
  } finally {
    clearTimeout(timer);
    client.close();
  }
}

interface Failure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly authenticationFailed?: unknown;
  readonly mailboxMissing?: unknown;
  readonly serverResponseCode?: unknown;
  readonly responseText?: unknown;
}

/** It refuses the login for a reason that passes. */
const BUSY = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG']);
export const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ERR_TLS/;
const ADVICE = 'If the server uses its own certificate, name its file in channels.email.tlsCaFile.';

/** Never holds the password: servers do not repeat it, and what they say is cut. */
export function imapError(error: unknown, config: EmailConfig): AppError {
  if (error instanceof AppError) return error;
  const { code, message, mailboxMissing, serverResponseCode, responseText } = (error ?? {}) as Failure;
  const said = String(responseText ?? message ?? code ?? 'unknown').slice(0, 200);
  if (CERTIFICATE.test(String(code)))
    return new AppError(
      'unavailable',
      `The certificate of ${config.imapHost} is not trusted (${String(code)}). ${ADVICE}`,
      {
        cause: error,
      },
    );
  if (mailboxMissing === true || serverResponseCode === 'NONEXISTENT')
    return new AppError('invalid', `There is no folder ${config.mailbox}: correct channels.email.mailbox.`, {
      cause: error,
    });
  return new AppError(
    'unavailable',
    `The IMAP server ${config.imapHost} cannot be used: ${said.trimEnd()}${said.endsWith('.') ? '' : '.'}`,
    {
      cause: error,
    },
  );
}
