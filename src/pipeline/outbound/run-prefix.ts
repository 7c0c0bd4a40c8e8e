/** The configured prefix of a run's answers; signed if several agents answer. */
import { resolveAgent } from '../../agent/resolve-agent.ts';
import { present } from '../../core/present.ts';
import { prefixOf, signed, type PrefixFacts } from '../delivery/prefix.ts';
import type { LiveDeliveryDeps, ActiveRuns } from './live-delivery-deps.ts';

export interface PrefixedRun {
  readonly runId: string;
  readonly agentId: string;
  readonly sessionKey: string;
}

export type RunPrefix = (
  run: PrefixedRun,
  how: { readonly configured: string | undefined; readonly together: boolean },
) => string | undefined;

export function createRunPrefix(
  { config, session }: Pick<LiveDeliveryDeps, 'config' | 'session'>,
  models: ActiveRuns['models'],
): RunPrefix {
  function facts({ runId, agentId, sessionKey }: PrefixedRun): PrefixFacts {
    const agent = resolveAgent(config(), agentId);
    const thinkingLevel = session(sessionKey)?.thinkingLevel ?? agent.thinkingDefault;
    const identityName = agent.identity?.name ?? agent.name;
    return { ...models.get(runId), ...present({ thinkingLevel, identityName }) };
  }

  return (run, { configured, together }) => {
    const agent = resolveAgent(config(), run.agentId);
    const template = together ? signed(configured, agent.identity?.name ?? agent.name ?? agent.id) : configured;
    return template === undefined ? undefined : prefixOf(template, facts(run));
  };
}
