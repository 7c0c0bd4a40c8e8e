/**
 * Authenticates programs that use a feature's own secret: from a header only, in constant time; failures count with all
 * other failed logins.
 */
import { AppError } from '../../core/errors.ts';
import { productHeader } from '../../host/http/product-header.ts';
import type { HttpRequest, ProgramCallers } from '../../host/http/surface.ts';
import { sameSecret } from '../../platform/same-secret.ts';
import type { GatewayAuth } from '../auth.ts';
import type { FailedLogins } from '../ws/failed-logins.ts';
import type { AccessDeps } from './access.ts';
import { checkRequest, isAllowedOrigin } from './guard.ts';

export interface ProgramCallersDeps extends Pick<AccessDeps, 'proved'> {
  readonly auth: Pick<GatewayAuth, 'checkBearer'>;
  readonly failedLogins: FailedLogins;
  allowedOrigins(): readonly string[];
}

export function createProgramCallers({
  auth,
  failedLogins,
  proved,
  allowedOrigins,
}: ProgramCallersDeps): ProgramCallers {
  return {
    refusePages({ query, headers }) {
      const { origin } = headers;
      const allowed = allowedOrigins();
      if (origin !== undefined && !isAllowedOrigin(origin, { allowedOrigins: allowed }))
        throw new AppError('denied', 'This endpoint is for programs; web pages may not call it.');
      // Host and Origin are checked here, so the general guard only checks the query.
      checkRequest(
        { query, headers: { host: 'localhost' } },
        { loopbackOnly: true, hostNames: [], allowedOrigins: [] },
      );
    },

    demand(request, secret) {
      const { ip, local } = request.client;
      const retryAfterMs = local ? undefined : failedLogins.lockedFor(ip);
      if (retryAfterMs !== undefined)
        throw new AppError(
          'rate_limited',
          `Too many wrong tokens from this address. Try again in ${Math.ceil(retryAfterMs / 1000)} s.`,
          { retryAfterMs },
        );
      // A generated token is not in the configuration, so this could not be checked when that was read.
      if (secret !== undefined && auth.checkBearer(secret).ok)
        throw new AppError('unavailable', 'No caller is allowed here.', {
          cause: new Error('the secret is also a secret of the gateway; use a different one'),
        });
      const presented = tokenOf(request);
      if (secret !== undefined && presented !== undefined && sameSecret(presented, secret)) {
        if (!local) failedLogins.succeeded(ip);
        return proved(request.req.socket);
      }
      if (presented !== undefined && !local) failedLogins.failed(ip);
      throw new AppError('auth', 'Unauthorized');
    },
  };
}

function tokenOf({ headers }: HttpRequest): string | undefined {
  const [, bearer] = /^bearer[ \t]+(\S.*)$/i.exec(headers.authorization ?? '') ?? [];
  return bearer?.trim() ?? productHeader(headers, 'token');
}
