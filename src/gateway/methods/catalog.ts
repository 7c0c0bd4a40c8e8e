/** Serves lists of agents, their identities, and models. */
import { present } from '../../core/present.ts';
import { agentIdentityParams, agentsListParams, modelsListParams } from '../../protocol/agent.ts';
import { parseSessionKey } from '../../core/session-key.ts';
import type { GatewayServices } from '../services.ts';
import { method, requireAgent, sessionKeyOf, type Methods } from './method.ts';

export const catalogMethods: Methods = {
  'agents.list': method({
    summary: 'Lists all agents and the default agent.',
    needs: 'operator.read',
    params: agentsListParams,
    run: (_params, { services }) => {
      const { mainKey, scope } = mainSession(services);
      return {
        defaultId: services.agents.defaultId(),
        mainKey,
        scope,
        agents: services.agents.list().map(({ model, ...agent }) => ({ ...agent, model: { primary: model } })),
      };
    },
  }),

  'agent.identity.get': method({
    summary: 'Returns name, emoji and avatar of an agent.',
    needs: 'operator.read',
    params: agentIdentityParams,
    run: ({ agentId, sessionKey }, call) => {
      if (agentId !== undefined) requireAgent(call.services, agentId);
      const key = sessionKey?.trim() ? sessionKeyOf(call, sessionKey, agentId) : undefined;
      const id = agentId?.toLowerCase() ?? parseSessionKey(key ?? '')?.agentId ?? call.services.agents.defaultId();
      const agent = call.services.agents.list().find((known) => known.id === id);
      const name = agent?.identity?.name ?? agent?.name;
      return present({
        agentId: id,
        name: name || undefined,
        avatar: agent?.identity?.avatar || undefined,
        emoji: agent?.identity?.emoji || undefined,
      });
    },
  }),

  'models.list': method({
    summary: 'Lists the available models.',
    needs: 'operator.read',
    params: modelsListParams,
    run: async (_params, { services }) => ({ models: await services.agents.models() }),
  }),
};

/** The default agent's main session, taken apart for clients that build keys themselves. */
export function mainSession(services: GatewayServices): {
  mainKey: string;
  mainSessionKey: string;
  scope: 'per-sender' | 'global';
} {
  const mainSessionKey = services.agents.mainSessionKey();
  const global = mainSessionKey === 'global';
  return {
    mainSessionKey,
    mainKey: global ? 'main' : mainSessionKey.split(':').slice(2).join(':') || 'main',
    scope: global ? 'global' : 'per-sender',
  };
}
