/** Resolves the configured agents, the default agent, and the settings of one agent. Pure. */
import { AppError } from '../core/errors.ts';
import { DEFAULT_AGENT_ID } from '../core/product.ts';
import { normaliseAgentId } from '../core/session-key.ts';
import type { ThinkingLevel } from '../core/turn.ts';
import type { AgentEntry, AgentIdentity, AgentsConfig, ModelChoice } from './config.ts';

export interface ModelChain {
  /** As written: `provider/model` or an alias. Undefined: nothing is configured. */
  readonly primary: string | undefined;
  readonly fallbacks: readonly string[];
}

export interface ResolvedAgent {
  readonly id: string;
  readonly isDefault: boolean;
  readonly name: string | undefined;
  /** As written; `~` is not expanded. */
  readonly workspace: string;
  /** Undefined: the state directory decides. */
  readonly agentDir: string | undefined;
  readonly identity: AgentIdentity | undefined;
  readonly model: ModelChain;
  readonly imageModel: ModelChain;
  /** Undefined: low on models that can reason. */
  readonly thinkingDefault: ThinkingLevel | undefined;
  readonly timeoutMs: number;
  /** Characters one answer of a model may have. */
  readonly answerChars: number;
  readonly contextTokens: number | undefined;
  readonly compaction: AgentsConfig['defaults']['compaction'];
  readonly userTimezone: string | undefined;
  readonly bootstrapMaxChars: number;
  readonly skipBootstrap: boolean;
  readonly tools: AgentEntry['tools'];
  readonly skills: readonly string[] | undefined;
}

interface WithAgents {
  readonly agents: AgentsConfig;
}

/** The ids in configured order; `main` when none is configured. */
export function agentIds({ agents }: WithAgents): readonly string[] {
  const ids = agents.list.map((entry) => normaliseAgentId(entry.id));
  return ids.length > 0 ? [...new Set(ids)] : [DEFAULT_AGENT_ID];
}

/** `default: true` wins, then the first of the list, then `main`. */
export function defaultAgentId({ agents }: WithAgents): string {
  return normaliseAgentId((agents.list.find((entry) => entry.default) ?? agents.list[0])?.id);
}

/** What is written about one agent; undefined when nothing is. */
export const agentEntry = ({ agents }: WithAgents, agentId: string): AgentEntry | undefined =>
  agents.list.find((candidate) => normaliseAgentId(candidate.id) === normaliseAgentId(agentId));

/** What is in force for one agent. An id that is not configured: `AppError('not_found')`. */
export function resolveAgent(config: WithAgents, agentId: string = defaultAgentId(config)): ResolvedAgent {
  const id = normaliseAgentId(agentId);
  const known = agentIds(config);
  if (!known.includes(id))
    throw new AppError(
      'not_found',
      `Unknown agent "${agentId}". Configured agents: ${known.join(', ')}. Add one under agents.list.`,
    );
  const { defaults } = config.agents;
  const entry = agentEntry(config, id);
  const isDefault = id === defaultAgentId(config);
  return {
    id,
    isDefault,
    name: entry?.name,
    workspace:
      entry?.workspace ??
      (isDefault ? defaults.workspace : `${defaults.workspace.replace(/(?<![\\/])[\\/]+$/, '')}-${id}`),
    agentDir: entry?.agentDir,
    identity: entry?.identity,
    model: overlay(entry?.model, modelChain(defaults.model)),
    imageModel: modelChain(defaults.imageModel),
    thinkingDefault: entry?.thinkingDefault ?? defaults.thinkingDefault,
    timeoutMs: defaults.timeoutSeconds * 1000,
    answerChars: defaults.answerMaxChars,
    contextTokens: defaults.contextTokens,
    compaction: defaults.compaction,
    userTimezone: defaults.userTimezone,
    bootstrapMaxChars: defaults.bootstrapMaxChars,
    skipBootstrap: defaults.skipBootstrap,
    tools: entry?.tools,
    skills: entry?.skills,
  };
}

/** Both spellings of a model choice as one shape. */
export function modelChain(choice: ModelChoice | undefined): ModelChain {
  if (typeof choice === 'string') return { primary: choice, fallbacks: [] };
  return { primary: choice?.primary, fallbacks: choice?.fallbacks ?? [] };
}

/** An agent's own choice over the default one; what it leaves out is inherited, `fallbacks: []` switches them off. */
function overlay(own: ModelChoice | undefined, base: ModelChain): ModelChain {
  if (own === undefined) return base;
  if (typeof own === 'string') return { ...base, primary: own };
  return { primary: own.primary ?? base.primary, fallbacks: own.fallbacks ?? base.fallbacks };
}
