/** Puts the OpenAI-compatible endpoints on the router; what serves a turn is loaded with the first request. */
import { loadOnce } from '../../platform/load-once.ts';
import type { Handler, Router } from '../http/router.ts';
import type { EndpointDeps } from './endpoint.ts';
import { createModels, MODELS_PATH } from './models.ts';

/** Anything else under `/v1` is a 404 in OpenAI's error shape, never the Control UI. */
export function mountOpenAi(router: Router, deps: EndpointDeps): void {
  const models = createModels(deps);
  router
    .at('/v1/chat/completions', { POST: lazily(async () => (await import('./chat-completions.ts')).createChatCompletions(deps)) })
    .at('/v1/responses', { POST: lazily(async () => (await import('./responses.ts')).createResponses(deps)) })
    .at(MODELS_PATH, { GET: models })
    .under(MODELS_PATH, { GET: models })
    .under('/v1', {});
}

function lazily(load: () => Promise<Handler>): Handler {
  const handler = loadOnce(load);
  return async (request) => (await handler.get())(request);
}
