/** Authenticates HTTP requests: bearer secret, scopes, and a limit on failed attempts per address. */
import type { HttpAccess as Access, HttpRequest } from '../../host/http/surface.ts';
import type { Socket } from 'node:net';
import { allow } from '../../core/principal.ts';
import { AppError } from '../../core/errors.ts';
import type { AuthResult, GatewayAuth } from '../auth.ts';
import type { FailedLogins } from '../ws/failed-logins.ts';

export type { HttpAccess as Access } from '../../host/http/surface.ts';

export interface AccessDeps {
  readonly auth: GatewayAuth;
  readonly failedLogins: FailedLogins;
  /** The connection's owner is known from now on. */
  readonly proved: (socket: Socket) => void;
}

export function createAccess({ auth, failedLogins, proved }: AccessDeps): Access {
  /** Every check of a secret counts as an attempt, because even a small difference in the answer helps a guesser. */
  function identify(request: HttpRequest): AuthResult {
    // A person locked out of their own machine by a broken script is worse than guesses from a process that already
    // runs there.
    if (request.client.local) return auth.checkBearer(bearerOf(request));
    const { ip } = request.client;
    const retryAfterMs = failedLogins.lockedFor(ip);
    if (retryAfterMs !== undefined)
      throw new AppError(
        'rate_limited',
        `Too many wrong tokens from this address. Try again in ${Math.ceil(retryAfterMs / 1000)} s.`,
        { retryAfterMs },
      );
    const result = auth.checkBearer(bearerOf(request));
    if (result.ok) failedLogins.succeeded(ip);
    else if (result.reason === 'mismatch') failedLogins.failed(ip);
    return result;
  }

  return {
    authorize(request, needs) {
      const result = identify(request);
      if (!result.ok) throw new AppError('auth', AUTH_PROBLEM[result.reason]);
      proved(request.req.socket);
      if (!allow(result.principal, needs))
        throw new AppError('denied', `This token lacks the scope ${needs}.`, { details: { missingScope: needs } });
      return result.principal;
    },
    trusts: (request) => request.client.local || (request.headers.authorization !== undefined && identify(request).ok),
  };
}

const AUTH_PROBLEM = {
  missing: 'This needs the gateway token: send it as "Authorization: Bearer <token>".',
  mismatch: 'The token in "Authorization: Bearer …" is wrong.',
} as const;

function bearerOf({ headers }: HttpRequest): string | undefined {
  const value = headers.authorization;
  return value !== undefined && value.slice(0, 7).toLowerCase() === 'bearer ' ? value.slice(7).trim() : undefined;
}
