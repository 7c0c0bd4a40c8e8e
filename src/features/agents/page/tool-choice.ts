/** Gives a tool to an agent or takes it away: the change of the agent's own lists, or why none can. Pure. */
import type { ToolDecision } from '../../../../ui/src/gateway/wire.ts';
import type { AgentDescribed } from '../answers.ts';

type Tools = AgentDescribed['tools'];

/** A change for `agents.update`; `blocked`: the rule that decides, which is not the agent's own. */
export type ToolChoice =
  | { readonly change: { readonly [K in 'allow' | 'deny' | 'alsoAllow']?: readonly string[] } }
  | { readonly blocked: string };

export function choiceOf({ name, allowed, stages }: ToolDecision, tools: Tools): ToolChoice {
  return allowed
    ? { change: taken(name, tools) }
    : chosen(
        name,
        stages.find(({ ok }) => !ok),
        tools,
      );
}

/** What was added to the profile alone is no longer added; all else is denied. */
function taken(name: string, { alsoAllow = [], deny = [], profile }: Tools): Partial<Record<keyof Tools, string[]>> {
  return alsoAllow.includes(name) && profile !== undefined && profile !== 'full'
    ? { alsoAllow: alsoAllow.filter((one) => one !== name), deny: [...deny, name] }
    : { deny: [...deny, name] };
}

function chosen(
  name: string,
  decided: ToolDecision['stages'][number] | undefined,
  { alsoAllow = [], deny = [], allow = [] }: Tools,
): ToolChoice {
  if (decided?.stage === 'agent' && decided.setting?.endsWith('.deny'))
    return deny.includes(name)
      ? { change: { deny: deny.filter((one) => one !== name) } }
      : { blocked: `denied to this agent by ${decided.pattern ?? decided.setting}` };
  if (decided?.stage === 'agent') return { change: { allow: [...allow, name] } };
  if (decided?.stage === 'profile') return { change: { alsoAllow: [...alsoAllow, name] } };
  return {
    blocked:
      decided?.stage === 'available'
        ? 'not available on this machine'
        : `removed by ${decided?.setting ?? decided?.stage ?? 'the policy'}`,
  };
}
