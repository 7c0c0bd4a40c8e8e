/** Lists the stages of the tool policy for one place, in the documented order; each can only remove tools. Pure. */
import { formatPath } from '../../config/paths.ts';
import { normaliseAgentId } from '../../core/session-key.ts';
import { TOOL_PROFILES, type ToolProfile } from '../../core/tool-groups.ts';
import type { AgentsConfig, ToolsConfig } from '../config.ts';
import { sandboxStage, subagentStage } from './box-stages.ts';
import type { GroupPlace } from './group-place.ts';
import { groupStages, type GroupsByChannel } from './group-stages.ts';
import { listAt, stageOf, type Stage, type ToolLists } from './stage.ts';

export interface PolicyConfig {
  readonly agents: AgentsConfig;
  readonly tools: ToolsConfig;
  readonly channels: GroupsByChannel;
}

export interface PolicyPlace {
  readonly agentId: string;
  readonly model: { readonly provider: string; readonly modelId: string };
  /** What each of them forbids is forbidden. */
  readonly groups?: readonly GroupPlace[] | undefined;
  /** Who wrote it, by the channel's stable ids. */
  readonly senders: readonly string[];
  /** Absent: not sandboxed. */
  readonly sandbox?: { readonly workspaceAccess: 'none' | 'ro' | 'rw' } | undefined;
  readonly subagent: boolean;
}

interface Policy extends ToolLists {
  readonly profile?: ToolProfile | undefined;
}
interface Level {
  readonly policy: Policy | undefined;
  readonly at: string;
}

export interface PolicyStages {
  readonly profile: ToolProfile;
  readonly stages: readonly Stage[];
}

export function policyStages(config: PolicyConfig, place: PolicyPlace, channelIds: readonly string[]): PolicyStages {
  const index = config.agents.list.findIndex(({ id }) => normaliseAgentId(id) === normaliseAgentId(place.agentId));
  const entry = config.agents.list[index]?.tools;
  const own = `agents.list[${index}].tools`;
  const [general, agent]: readonly Level[] = [
    { policy: config.tools, at: 'tools' },
    { policy: entry, at: own },
  ];
  const [provider, agentProvider] = [
    byModel(config.tools.byProvider, 'tools', place.model),
    byModel(entry?.byProvider, own, place.model),
  ];
  const { profile, stage } = profileStage('profile', general!, agent!);
  const boxed = [
    { lists: config.tools.sandbox.tools, at: 'tools.sandbox.tools' },
    { lists: entry?.sandbox?.tools, at: `${own}.sandbox.tools` },
  ] as const;
  const spawned = [
    { lists: config.tools.subagents.tools, at: 'tools.subagents.tools' },
    { lists: entry?.subagents?.tools, at: `${own}.subagents.tools` },
  ] as const;
  return {
    profile,
    stages: [
      stage,
      profileStage('provider profile', provider, agentProvider).stage,
      stageOf('global', general!.policy, general!.at),
      stageOf('provider', provider.policy, provider.at),
      stageOf('agent', agent!.policy, agent!.at),
      stageOf('agent provider', agentProvider.policy, agentProvider.at),
      ...(place.groups ?? []).flatMap((group) => groupStages(config.channels, group, place.senders)),
      ...(place.sandbox
        ? [sandboxStage(...boxed, { workspaceAccess: place.sandbox.workspaceAccess, channelIds })]
        : []),
      ...(place.subagent ? [subagentStage(...spawned)] : []),
    ],
  };
}

/** The agent's profile replaces the general one; so does its `alsoAllow`. */
function profileStage(
  stage: 'profile' | 'provider profile',
  general: Level,
  own: Level,
): { profile: ToolProfile; stage: Stage } {
  const named = [own, general].find(({ policy }) => policy?.profile !== undefined);
  const profile = named?.policy?.profile ?? 'full';
  if (!named || profile === 'full') return { profile, stage: { stage, deny: [] } };
  const more = [own, general].find(({ policy }) => policy?.alsoAllow !== undefined);
  const allow = [
    { setting: `${named.at}.profile`, patterns: TOOL_PROFILES[profile] },
    ...listAt(more?.policy?.alsoAllow, `${more?.at}.alsoAllow`),
  ];
  return { profile, stage: { stage, deny: [], allow } };
}

/** The one entry that applies: the full name of the model comes before its provider. */
function byModel(
  entries: Readonly<Record<string, Policy>> | undefined,
  at: string,
  { provider, modelId }: PolicyPlace['model'],
): Level {
  const wanted = [`${provider}/${modelId}`, ...(modelId.includes('/') ? [modelId] : []), provider].map((name) =>
    name.toLowerCase(),
  );
  const keys = Object.keys(entries ?? {});
  const key = wanted
    .map((name) => keys.find((written) => written.trim().toLowerCase() === name))
    .find((found) => found !== undefined);
  return {
    policy: key === undefined ? undefined : entries![key],
    at: `${at}.${key === undefined ? 'byProvider' : formatPath(['byProvider', key])}`,
  };
}
