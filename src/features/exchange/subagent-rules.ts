/** Whether a session may start a sub-agent, and under which agents. Pure. */
import { present } from '../../core/present.ts';
import { normaliseAgentId } from '../../core/session-key.ts';
import type { HostAgents, HostConfig } from '../../host/host.ts';

type Subagents = ReturnType<HostConfig['current']>['agents']['defaults']['subagents'];

export interface SubagentRules extends Pick<HostAgents, 'ids' | 'entry'> {
  /** `agents.defaults.subagents` as it is now. */
  defaults(): Subagents;
}

export interface AllowedAgents {
  readonly allowAny: boolean;
  /** One's own first. */
  readonly agents: readonly { readonly id: string; readonly name?: string; readonly configured: boolean }[];
}

export function allowedAgents({ ids, entry, defaults }: SubagentRules, requester: string): AllowedAgents {
  const written = (entry(requester)?.subagents?.allowAgents ?? defaults().allowAgents ?? []).map((id) => id.trim());
  const allowAny = written.includes('*');
  const known = ids();
  const others = [
    ...new Set([
      ...(allowAny ? known : []),
      ...written.filter((id) => id !== '*' && id !== '').map((id) => normaliseAgentId(id)),
    ]),
  ]
    .filter((id) => id !== requester)
    .sort();
  const row = (id: string): AllowedAgents['agents'][number] => {
    const name = entry(id)?.name;
    return present({ id, name, configured: known.includes(id) });
  };
  return { allowAny, agents: [requester, ...others].map(row) };
}

/** The settings of the sub-agents of one agent. */
export function subagentSettings(
  { entry, defaults }: SubagentRules,
  agentId: string,
): { readonly model: string | undefined; readonly thinking: Subagents['thinking'] } {
  const own = entry(agentId)?.subagents;
  const { model, thinking } = defaults();
  return { model: own?.model ?? model, thinking: own?.thinking ?? thinking };
}
