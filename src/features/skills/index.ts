/** Skills: which an agent finds, whether it may use them, what they need that is missing, and their text. */
import { join } from 'node:path';
import { defineFeature } from '../../host/feature.ts';
import { createSkillList } from './create-skill-list.ts';
import { skillMethods, skillSpecs } from './methods.ts';

export default defineFeature({
  id: 'skills',
  summary: 'Shows the skills of each agent, and what they need.',
  methods: skillSpecs,

  create: ({ agents, sessions, machine: { env } }) => ({
    methods: skillMethods(
      createSkillList({
        agents,
        env,
        folderOf: (agentId) => agents.place({ agentId, sessionKey: sessions.mainKey(agentId) }).agentWorkspace,
        shared: join(env.stateDir, 'skills'),
      }),
    ),
  }),
});
