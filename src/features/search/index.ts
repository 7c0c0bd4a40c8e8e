/** The search feature: full-text search in the transcripts of all conversations. */
import { defineFeature } from '../../host/feature.ts';
import { storePath, transcriptPath } from '../../sessions/paths.ts';
import { searchMethods, searchSpecs } from './methods.ts';

export default defineFeature({
  id: 'search',
  summary: 'Full-text search in all conversations.',
  methods: searchSpecs,

  create({ machine: { env, clock }, config, sessions }) {
    return {
      methods: searchMethods({
        clock,
        sessions: async () =>
          (await sessions.list()).map(({ key, entry }) => ({
            key,
            path: transcriptPath(
              storePath(
                { stateDir: env.stateDir, home: env.home, store: config.current().session.store },
                sessions.agentOf(key),
              ),
              entry.sessionId,
            ),
          })),
      }),
    };
  },
});
