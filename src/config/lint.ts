/** What the schema allows but nobody means: told as warnings, never an error. */
import { DEFAULT_AGENT_ID } from '../core/product.ts';
import type { Issue } from './store.ts';

/** The parts of a configuration that have to fit together. */
interface Joined {
  readonly agents: { readonly list: readonly { readonly id: string }[] };
  readonly bindings: readonly { readonly agentId: string }[];
}

/** A binding to an agent that does not exist. */
export function lintConfig({ agents, bindings }: Joined): readonly Issue[] {
  const names = agents.list.length === 0 ? [DEFAULT_AGENT_ID] : agents.list.map(({ id }) => id);
  const known = new Set(names.map((id) => id.toLowerCase()));
  return bindings.flatMap(({ agentId }, index) => (known.has(agentId.toLowerCase())
    ? []
    : [{ path: `bindings[${index}].agentId`, problem: `there is no agent "${agentId}"; the default agent answers instead`, fix: `Use one of: ${names.join(', ')}.` }]));
}
