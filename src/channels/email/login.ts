/** How the servers of a mailbox are told who we are: by password, or by an access token that is renewed. */
import { AppError } from '../../sdk/index.ts';
import type { EmailConfig } from './config.ts';

export type Secret =
  | { readonly kind: 'password'; readonly password: string }
  /** `isNew`: nothing newer is to be had. */
  | { readonly kind: 'token'; readonly token: string; readonly isNew: boolean };

export interface ServerLogin {
  readonly config: EmailConfig;
  /** `renew`: the one before was refused. Rejects with `auth`, or `unavailable` where none is to be had now. */
  secret(options?: { readonly renew: boolean }): Promise<Secret>;
}

export const byPassword =
  (password: string): ServerLogin['secret'] =>
  async () => ({ kind: 'password', password });

export const userOf = ({ username, address }: EmailConfig): string => username ?? address;

/** A token may have ended before its time: then once more, with a new one. */
export async function loggedIn<T>(login: ServerLogin, attempt: (secret: Secret) => Promise<T>): Promise<T> {
  const secret = await login.secret();
  try {
    return await attempt(secret);
  } catch (error) {
    const mayBeOld = secret.kind === 'token' && !secret.isNew;
    if (!mayBeOld || !(error instanceof AppError) || error.code !== 'auth') throw error;
    return attempt(await login.secret({ renew: true }));
  }
}

/** What a server did not accept, and what to do about it. */
export const refusedLogin = (host: string, { config, secret }: { config: EmailConfig; secret: Secret }): AppError =>
  new AppError(
    'auth',
    secret.kind === 'password'
      ? `${host} does not accept the user name or password. Check channels.email.username and password; many ` +
          'providers require an app password, or channels.email.auth "oauth2".'
      : `${host} does not accept the access token for ${userOf(config)}. Check that it was granted for that mailbox, ` +
          'with the right to read and send mail, and that the provider allows IMAP and SMTP there.',
  );

export const noTokensThere = (host: string): AppError =>
  new AppError('invalid', `${host} takes no access tokens (XOAUTH2): set channels.email.auth to "password".`);
