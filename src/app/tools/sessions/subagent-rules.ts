/** Whether a session may start a sub-agent under an agent, and which agents it may choose from. Pure. */
import type { AgentsConfig } from '../../../agent/config.ts';
import { agentEntry, agentIds } from '../../../agent/resolve-agent.ts';
import { normaliseAgentId } from '../../../core/session-key.ts';

interface Config { readonly agents: AgentsConfig }

export interface AllowedAgents {
  readonly allowAny: boolean;
  /** One's own first. */
  readonly agents: readonly { readonly id: string; readonly name?: string; readonly configured: boolean }[];
}

export function allowedAgents(config: Config, requester: string): AllowedAgents {
  const written = (agentEntry(config, requester)?.subagents?.allowAgents ?? config.agents.defaults.subagents.allowAgents ?? []).map((id) => id.trim());
  const allowAny = written.includes('*');
  const known = agentIds(config);
  const others = [...new Set([...(allowAny ? known : []), ...written.filter((id) => id !== '*' && id !== '').map((id) => normaliseAgentId(id))])].filter((id) => id !== requester).sort();
  const row = (id: string): AllowedAgents['agents'][number] => {
    const name = agentEntry(config, id)?.name;
    return { id, ...(name === undefined ? {} : { name }), configured: known.includes(id) };
  };
  return { allowAny, agents: [requester, ...others].map(row) };
}

/** The settings of the sub-agents of one agent. */
export function subagentSettings(config: Config, agentId: string): { readonly model: string | undefined; readonly thinking: AgentsConfig['defaults']['subagents']['thinking'] } {
  const own = agentEntry(config, agentId)?.subagents;
  const { model, thinking } = config.agents.defaults.subagents;
  return { model: own?.model ?? model, thinking: own?.thinking ?? thinking };
}
