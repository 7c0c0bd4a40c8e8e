/** The OpenAI-compatible endpoints: programs made for that API talk to the agents. */
import { defineFeature } from '../../host/feature.ts';
import { endpointsConfigSchema, type EndpointsConfig } from './config.ts';
import { openAiRoutes } from './mount.ts';
import { createRunEvents } from './run-events.ts';
import { openAiRules } from './setting-rules.ts';

export default defineFeature({
  id: 'openai',
  summary: 'OpenAI-compatible HTTP endpoints for the agents.',
  config: [{ path: 'gateway.http.endpoints', schema: endpointsConfigSchema }],
  settings: openAiRules,

  create: (host) => ({
    http: ({ access }) =>
      openAiRoutes({
        access,
        clock: host.machine.clock,
        events: createRunEvents(host.chat),
        host: {
          ...host,
          startedAt: host.gateway.startedAt,
          endpoints: () =>
            (host.config.current().gateway.http as unknown as { readonly endpoints: EndpointsConfig }).endpoints,
        },
      }),
  }),
});
