/** Agents: added, changed and removed in the configuration, and their workspace files edited, from the Control UI. */
import { defineFeature } from '../../host/feature.ts';
import { createAgentFiles } from './agent-files.ts';
import { createAgentSettings } from './agent-settings.ts';
import { agentMethods, agentSpecs } from './methods.ts';

export default defineFeature({
  id: 'agents',
  summary: 'Agents are added, changed and removed in the Control UI, with their workspace files.',
  methods: agentSpecs,
  events: { 'agents.changed': 'operator.read' },

  create({ config, agents, sessions, gateway }) {
    const workspaceOf = (agentId: string): string =>
      agents.place({ agentId, sessionKey: sessions.mainKey(agentId) }).agentWorkspace;
    const changed = (agentId?: string): void =>
      gateway.publish('agents.changed', agentId === undefined ? {} : { agentId });
    const ends: (() => void)[] = [];
    return {
      methods: agentMethods({
        settings: createAgentSettings({ config, agents, workspaceOf }),
        files: createAgentFiles({ known: agents.promptFiles, workspaceOf }),
        changed,
      }),
      start: async () =>
        void ends.push(
          config.store.subscribe(
            (_next, _before, paths) => paths.some((path) => /^(?:agents|bindings|broadcast)\b/.test(path)) && changed(),
          ),
        ),
      close: async () => ends.forEach((end) => end()),
    };
  },
});
