/** Serves `GET /v1/models`: the agents, as the models an OpenAI client can choose from. */
import type { HttpRequest } from '../../host/http/surface.ts';
import { AppError } from '../../core/errors.ts';
import { PRODUCT } from '../../core/product.ts';
import { sendJson } from '../../host/http/reply.ts';
import type { EndpointDeps } from './endpoint.ts';
import { head } from '../../core/cut.ts';

export const MODELS_PATH = '/v1/models';

/** Serves the list and, below it, one model each. */
export function createModels({ host, access }: EndpointDeps): (request: HttpRequest) => void {
  return function handle(request) {
    access.authorize(request, 'operator.read');
    const endpoints = host.endpoints();
    if (!endpoints.chatCompletions.enabled && !endpoints.responses.enabled)
      throw new AppError(
        'not_found',
        'The OpenAI-compatible endpoints are disabled. Set ' +
          'gateway.http.endpoints.chatCompletions.enabled or gateway.http.endpoints.responses.enabled to true.',
        { details: { code: 'endpoint_disabled' } },
      );
    const created = Math.floor(host.startedAt / 1000);
    const models = ['default', ...host.agents.ids()]
      .filter((id, index, all) => all.indexOf(id) === index)
      .map((id) => ({ id: `${PRODUCT}/${id}`, object: 'model', created, owned_by: PRODUCT }));
    const wanted = request.path.slice(MODELS_PATH.length + 1);
    if (!wanted) return sendJson(request.res, 200, { object: 'list', data: models });
    const found = models.find(({ id }) => id === wanted || encodeURIComponent(id) === wanted);
    if (!found)
      throw new AppError('not_found', `Unknown model "${head(wanted, 100)}". GET ${MODELS_PATH} lists the models.`, {
        details: { param: 'model', code: 'model_not_found' },
      });
    sendJson(request.res, 200, found);
  };
}
