/** Serves webhooks of connected channel accounts, without the gateway token: the channel verifies the caller itself. */
import type { HttpRequest } from '../../host/http/surface.ts';
import { AppError } from '../../core/errors.ts';
import type { WebhookHandler } from '../../core/channel.ts';
import type { Clock } from '../../platform/clock.ts';
import { readBytes } from '../../host/http/body.ts';
import { sendText } from '../../host/http/reply.ts';
import type { Methods } from './router.ts';

const BODY_LIMIT = 1024 * 1024;
/** Milliseconds; platforms give up sooner. */
const TIMEOUT_MS = 30_000;

/** Every method reaches the handler. */
export function webhookMethods(handler: WebhookHandler, clock: Clock): Methods {
  const serve = (request: HttpRequest): Promise<void> => answer(request, handler, clock);
  return { GET: serve, POST: serve, PUT: serve, PATCH: serve, DELETE: serve };
}

async function answer(request: HttpRequest, handler: WebhookHandler, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<never>();
  using _timeout = clock.setTimeout(
    () => late.reject(new AppError('timeout', 'The channel did not answer the webhook in time.')),
    TIMEOUT_MS,
  );
  const { status, headers, body = '' } = await Promise.race([respond(request, handler), late.promise]);
  if (!request.res.destroyed) sendText(request.res, status, body, headers);
}

async function respond(request: HttpRequest, handler: WebhookHandler) {
  const body = await readBytes(request, BODY_LIMIT);
  return handler({ method: request.method, headers: request.headers, query: new URLSearchParams(request.query), body });
}
