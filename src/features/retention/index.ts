/** The retention feature: removes old logs and unreferenced transcripts, and reports the disk usage. */
import { defineFeature } from '../../host/feature.ts';
import { retentionSchema, type Retention } from './config.ts';
import { createRetention } from './create-retention.ts';
import { retentionMethods, retentionSpecs } from './methods.ts';

export default defineFeature({
  id: 'retention',
  summary: 'Old logs and left transcripts are removed, and what is stored is shown.',
  config: [{ path: 'retention', schema: retentionSchema.describe('How long files are kept that nothing refers to.') }],
  settings: { guards: [['retention', 'says what is deleted, and when']] },
  methods: retentionSpecs,

  create({ machine, config, agents, sessions }) {
    const { env, log, clock } = machine;
    const retention = createRetention({
      place: {
        stateDir: env.stateDir,
        home: env.home,
        agentIds: agents.ids,
        sessions: async () =>
          (await sessions.list()).map(({ key, entry }) => ({
            agentId: sessions.agentOf(key),
            sessionId: entry.sessionId,
          })),
      },
      log,
      clock,
      settings: () => config.slice<Retention>('retention'),
      store: () => config.current().session.store,
    });
    return {
      methods: retentionMethods(retention),
      start: async () => retention.start(),
      close: () => retention.close(),
    };
  },
});
