/** Whether a call of a hook comes from somebody who knows its token: by header alone, in constant time, guesses counted with those at the other doors. */
import { AppError } from '../../core/errors.ts';
import { sameSecret, type GatewayAuth } from '../auth.ts';
import { checkRequest, isAllowedOrigin } from '../http/guard.ts';
import { productHeader, type HttpRequest } from '../http/request.ts';
import type { FailedLogins } from '../ws/failed-logins.ts';
import { MIN_HOOK_TOKEN, type HooksConfig } from './config.ts';

export interface CallerDeps {
  readonly auth: Pick<GatewayAuth, 'checkBearer'>;
  readonly failedLogins: FailedLogins;
  allowedOrigins(): readonly string[];
}

/** A service calls by whatever name the proxy has, and never says which page it is; a browser does. Nobody puts the token into the address. */
export function refusePages({ query, headers }: Pick<HttpRequest, 'query' | 'headers'>, allowedOrigins: readonly string[]): void {
  const { origin } = headers;
  if (origin !== undefined && !isAllowedOrigin(origin, { allowedOrigins })) throw new AppError('denied', 'Hooks are for programs; a web page may not call them.');
  // Host and origin are judged here, so the guard of the other paths only looks at the query.
  checkRequest({ query, headers: { host: 'localhost' } }, { loopbackOnly: true, hostNames: [], allowedOrigins: [] });
}

/** `unavailable` when no token could be right, `rate_limited` after too many guesses, `auth` for a wrong one. */
export function checkToken(request: HttpRequest, { token }: Pick<HooksConfig, 'token'>, { auth, failedLogins }: CallerDeps): void {
  const given = tokenOf(request);
  const { ip, local } = request.client;
  const retryAfterMs = local ? undefined : failedLogins.lockedFor(ip);
  if (retryAfterMs !== undefined) throw new AppError('rate_limited', `Too many wrong tokens from this address. Try again in ${Math.ceil(retryAfterMs / 1000)} s.`, { retryAfterMs });
  if (token === undefined || token.length < MIN_HOOK_TOKEN) throw new AppError('unavailable', 'Hooks are not available.', { cause: new Error('hooks.token is missing or too short') });
  // A generated token stands in no configuration, so that this could not be told when it was read.
  if (auth.checkBearer(token).ok) throw new AppError('unavailable', 'Hooks are not available.', { cause: new Error('hooks.token is a secret of the gateway itself; give hooks one of their own') });
  if (given !== undefined && sameSecret(given, token)) {
    if (!local) failedLogins.succeeded(ip);
    return;
  }
  if (given !== undefined && !local) failedLogins.failed(ip);
  throw new AppError('auth', 'Unauthorized');
}

function tokenOf({ headers }: HttpRequest): string | undefined {
  const [, bearer] = /^bearer[ \t]+(\S.*)$/i.exec(headers.authorization ?? '') ?? [];
  return bearer?.trim() ?? productHeader(headers, 'token');
}
