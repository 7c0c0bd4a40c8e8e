/** A gateway on a free port that serves the OpenAI-compatible endpoints over fake services. */
import type { StreamTiming } from './platform/event-stream.ts';
import type { HttpSurface } from '../../host/http/surface.ts';
import { systemClock } from '../../platform/clock.ts';
import { startHttpGateway, type HttpGateway, type HttpGatewayOptions } from '../../testing/http-gateway.ts';
import { endpointsConfigSchema } from './config.ts';
import feature from './index.ts';
import { openAiRoutes } from './mount.ts';
import { createRunEvents } from './run-events.ts';

export interface OpenAiGatewayOptions extends HttpGatewayOptions {
  /** Both are served unless it says otherwise. */
  readonly endpoints?: unknown;
  readonly timing?: StreamTiming;
}

export const startOpenAi = ({ endpoints, timing, ...options }: OpenAiGatewayOptions = {}): Promise<HttpGateway> =>
  startHttpGateway({
    ...options,
    features: (services) => {
      const { chat, sessions, agents } = services;
      const served = endpointsConfigSchema.parse(
        endpoints ?? { chatCompletions: { enabled: true }, responses: { enabled: true } },
      );
      const host = {
        chat,
        sessions,
        agents: { ids: () => agents.list().map(({ id }) => id), defaultId: agents.defaultId, models: agents.models },
        endpoints: () => served,
        startedAt: services.status().startedAt,
      };
      const parts = {
        http: ({ access }: HttpSurface) =>
          openAiRoutes({ host, access, clock: systemClock, events: createRunEvents(chat), timing }),
      };
      return [{ feature, parts }];
    },
  });
