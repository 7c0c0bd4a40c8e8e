/** The paths of the OpenAI-compatible endpoints; what serves a turn is loaded with the first request. */
import { loadOnce } from '../../platform/load-once.ts';
import type { Handler, HttpRoutes } from '../../host/http/surface.ts';
import type { EndpointDeps } from './endpoint.ts';
import { createModels, MODELS_PATH } from './models.ts';

/** Anything else under `/v1` is a 404 in OpenAI's error shape, never the Control UI. */
export function openAiRoutes(deps: EndpointDeps): HttpRoutes {
  const models = createModels(deps);
  return {
    at: {
      '/v1/chat/completions': {
        POST: lazily(async () => (await import('./chat-completions.ts')).createChatCompletions(deps)),
      },
      '/v1/responses': { POST: lazily(async () => (await import('./responses.ts')).createResponses(deps)) },
      [MODELS_PATH]: { GET: models },
    },
    under: { [MODELS_PATH]: { GET: models }, '/v1': {} },
    close: async () => deps.events[Symbol.dispose](),
  };
}

function lazily(load: () => Promise<Handler>): Handler {
  const handler = loadOnce(load);
  return async (request) => (await handler.get())(request);
}
