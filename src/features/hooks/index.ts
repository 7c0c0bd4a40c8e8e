/** The hooks feature: other programs start agent runs over HTTP, with a separate token. */
import { defineFeature } from '../../host/feature.ts';
import { checkHooks, hooksConfigSchema, type HooksConfig } from './config.ts';
import { createHooks } from './create-hooks.ts';
import { hookRoutes } from './mount.ts';
import { hooksRules } from './setting-rules.ts';

export default defineFeature({
  id: 'hooks',
  summary: 'Lets other programs start agent runs over HTTP.',
  config: [{ path: 'hooks', schema: hooksConfigSchema.describe('Webhooks: agent runs started over HTTP.') }],
  checkConfig: checkHooks,
  settings: hooksRules,
  folders: ['hooks'],

  create(host) {
    const { machine, agents, sessions } = host;
    const hooks = createHooks({
      ...host,
      config: () => host.config.slice<HooksConfig>('hooks'),
      log: machine.log,
      now: () => machine.clock.now(),
      accepting: host.gateway.accepting,
      wake: (request) => host.waker.nudge(request),
    });
    return {
      http: ({ programs }) =>
        hookRoutes({
          hooks,
          programs,
          defaultAgentId: agents.defaultId,
          mainKey: sessions.mainKey,
          log: machine.log,
          clock: machine.clock,
          stateDir: machine.env.stateDir,
        }),
      start: () => hooks.start(),
    };
  },
});
