/** The names of agents. Pure. */
import type { Agent } from './wire.ts';

export const agentName = ({ id, name, identity }: Pick<Agent, 'id' | 'name' | 'identity'>): string =>
  identity?.name ?? name ?? id;

/** With its emoji, if it has one. */
export const agentLabel = (agent: Pick<Agent, 'id' | 'name' | 'identity'>): string =>
  [agent.identity?.emoji, agentName(agent)].filter(Boolean).join(' ');
