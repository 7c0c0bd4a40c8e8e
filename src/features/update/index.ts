/** Newer code for the gateway: whether there is some, and taking it. */
import { defineFeature } from '../../host/feature.ts';
import { createLazyUpdater } from './lazy-updater.ts';
import { updateMethods, updateSpecs } from './methods.ts';
import { createUpdateTools } from './tool-methods.ts';

export default defineFeature({
  id: 'update',
  summary: 'Updates the gateway and restarts it.',
  settings: { guards: [['update', 'says where updates come from']] },
  methods: updateSpecs,
  toolMethodsElsewhere: ['update.run', 'update.status'],

  create({ machine, gateway, sessions, agents }) {
    const { root, env, clock, log } = machine;
    const updater = createLazyUpdater({ root, env, clock, log, requestRestart: gateway.requestRestart });
    const { canonicalKey } = sessions;
    const end = { done: Promise.resolve() };
    return {
      methods: updateMethods(updater, { canonicalKey, agentIds: agents.ids }),
      toolMethods: { update: async (turn, keep) => createUpdateTools({ turn, keep, updater, canonicalKey }) },
      async close() {
        end.done = Promise.resolve(updater[Symbol.asyncDispose]());
      },
      // Half an update is gone back on, which takes its time.
      finish: () => end.done,
    };
  },
});
