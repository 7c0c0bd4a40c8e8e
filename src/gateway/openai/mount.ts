/** Puts the OpenAI-compatible endpoints on the router. */
import type { Router } from '../http/router.ts';
import { createChatCompletions } from './chat-completions.ts';
import type { EndpointDeps } from './endpoint.ts';
import { createModels, MODELS_PATH } from './models.ts';
import { createResponses } from './responses.ts';

/** Anything else under `/v1` is a 404 in OpenAI's error shape, never the Control UI. */
export function mountOpenAi(router: Router, deps: EndpointDeps): void {
  const models = createModels(deps);
  router
    .at('/v1/chat/completions', { POST: createChatCompletions(deps) })
    .at('/v1/responses', { POST: createResponses(deps) })
    .at(MODELS_PATH, { GET: models })
    .under(MODELS_PATH, { GET: models })
    .under('/v1', {});
}
