/** The gateway's agent service: lists agents and models for clients. */
import type { Models } from '../agent/models/create-models.ts';
import { agentIds, resolveAgent } from '../agent/resolve-agent.ts';
import { present } from '../core/present.ts';
import type { SessionKey } from '../core/session-key.ts';
import { expandPath } from '../platform/env.ts';
import type { Config } from '../schema.ts';

export interface AgentServiceDeps {
  readonly models: Pick<Models, 'list' | 'pick' | 'describe'>;
  readonly home: string;
  config(): Config;
  defaultId(): string;
  mainKey(agentId: string): SessionKey;
}

export function createAgentService({ models, home, config, defaultId, mainKey }: AgentServiceDeps) {
  return {
    defaultId,
    mainSessionKey: (agentId: string = defaultId()): string => mainKey(agentId),
    models: () => models.list(),
    pickModel: (written: string) => models.pick(written),
    list: () => agentIds(config()).map((id) => agentOf(config(), id)),
  };

  function agentOf(current: Config, agentId: string) {
    const { id, name, identity, workspace, model } = resolveAgent(current, agentId);
    return present({
      id,
      workspace: expandPath(workspace, home),
      model: model.primary ?? modelText(models),
      name: name || undefined,
      identity: identity ? present(identity) : undefined,
    });
  }
}

function modelText(models: Pick<Models, 'describe'>): string {
  const { provider, model } = models.describe();
  return `${provider}/${model}`;
}
