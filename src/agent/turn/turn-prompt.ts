/** Builds the prompt of one turn from its agent, place, tools and the sections of features. */
import type { ChatAddress } from '../../core/message.ts';
import { isSubagentKey } from '../../core/session-key.ts';
import type { ThinkingLevel, Turn } from '../../core/turn.ts';
import type { ToolRequester, Workplace } from '../../host/tool-environment.ts';
import { machineName, systemName } from '../../platform/machine-name.ts';
import { createZoneName } from '../../platform/time-zone.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import type { AgentsConfig } from '../config.ts';
import type { ModelCandidate } from '../models/candidate.ts';
import { aliases } from '../models/model-ref.ts';
import { createPromptCache } from '../prompt/prompt-cache.ts';
import type { ResolvedAgent } from '../resolve-agent.ts';
import type { Skill } from '../workspace/skills.ts';
import type { TurnSetting } from './run-turn.ts';
import type { TurnFolders } from './turn-folders.ts';

export interface TurnPromptDeps {
  config(): { readonly agents: AgentsConfig };
  /** The people behind a turn may let commands out of the sandbox. */
  mayElevate(whose: ToolRequester): boolean;
  /** Answers there can point at a message. Absent: nowhere. */
  replyTags?(address: ChatAddress): boolean;
  /** What features add to the prompt of an agent. Absent: nothing. */
  sections?(agentId: string): readonly string[];
}

/** A turn with what is known of it before its files are read. */
export interface Begun {
  readonly turn: Turn;
  readonly entry: SessionEntry;
  readonly agent: ResolvedAgent;
  readonly place: Workplace;
  readonly candidates: readonly ModelCandidate[];
  readonly thinking: ThinkingLevel | undefined;
}

/** What a prompt tells besides. */
export interface PromptParts {
  readonly files: Awaited<ReturnType<TurnFolders['contextFiles']>>;
  readonly listed: readonly Skill[];
  readonly tools: TurnSetting['tools'];
}

export type TurnPrompt = (begun: Begun, parts: PromptParts) => string;

/** `docsPath`: where the agent finds the product's documentation. */
export function createTurnPrompt(deps: TurnPromptDeps, docsPath: string): TurnPrompt {
  const prompts = createPromptCache();
  const hostZone = createZoneName();

  return ({ turn, entry, agent, place, candidates, thinking }, { files, listed, tools }) => {
    const usable = turn.place?.skills ?? agent.skills;
    const prompt = prompts.build({
      mode: isSubagentKey(turn.route.sessionKey) ? 'minimal' : 'full',
      agent: { id: agent.id, name: agent.identity?.name ?? agent.name },
      tools,
      workspaceDir: place.shownAs,
      contextFiles: files,
      sandbox: place.sandbox && {
        workspaceAccess: place.sandbox.workspaceAccess,
        network: place.sandbox.network,
        elevated: deps.mayElevate({ turn, entry, place }),
      },
      skills: usable ? listed.filter((skill) => usable.includes(skill.name)) : listed,
      extra: turn.place?.prompt,
      docsPath,
      replyTags: deps.replyTags?.(turn.route.replyTo) ?? false,
      modelAliases: aliases(deps.config()),
      timezone: agent.userTimezone ?? hostZone(),
      sections: deps.sections?.(agent.id) ?? [],
      runtime: {
        host: machineName(),
        os: systemName(),
        node: process.version,
        model: `${candidates[0]!.provider}/${candidates[0]!.modelId}`,
        channel: turn.route.replyTo.channel,
        thinking,
      },
    });
    return turn.options.extraSystemPrompt ? `${prompt}\n\n${turn.options.extraSystemPrompt}` : prompt;
  };
}
