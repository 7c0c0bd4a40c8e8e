/**
 * Resolves the setting of a turn (agent, models, prompt, tools and their bounds) from the configuration at its start.
 */
import type { AgentsConfig, ToolsConfig } from '../config.ts';
import type { ModelCandidate } from '../models/candidate.ts';
import type { Models } from '../models/create-models.ts';
import type { KnownPlace } from '../tool-policy/group-place.ts';
import { resolveAgent, type ResolvedAgent } from '../resolve-agent.ts';
import type { TurnSetting } from './run-turn.ts';
import { createTurnFolders } from './turn-folders.ts';
import { createTurnPrompt, type Begun, type TurnPromptDeps } from './turn-prompt.ts';
import type { Skill } from '../workspace/skills.ts';
import { sendersOf } from '../../core/authority.ts';
import { present } from '../../core/present.ts';
import type { Route } from '../../core/route.ts';
import type { ThinkingLevel, Turn } from '../../core/turn.ts';
import type { Workplace } from '../../host/tool-environment.ts';
import type { ChatModelFacts } from '../environment/pictures.ts';
import type { ToolBounds } from '../environment/tool-bounds.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { modelOverride } from '../../sessions/model-override.ts';
import { originsOf } from '../../sessions/origins.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';

export interface TurnSettingDeps extends TurnPromptDeps {
  config(): { readonly agents: AgentsConfig; readonly tools: ToolsConfig };
  readonly models: Models;
  readonly toolbox: Toolbox;
  readonly toolBounds: ToolBounds;
  /** The entry of a session; undefined: there is none. */
  session(key: string): Promise<Pick<SessionEntry, 'spawnedBy'> | undefined>;
  /** Where an agent works. */
  place(at: Pick<Route, 'agentId' | 'sessionKey'>): Workplace;
  describesPictures(chat: ChatModelFacts): Promise<boolean | 'text'>;
  readonly folders: {
    /** The folder of an agent, absolute. */
    workspaceOf(agentId: string): string;
    readonly stateDir: string;
    readonly docsPath: string;
  };
}

export function createTurnSetting(deps: TurnSettingDeps) {
  const { workspaceOf, stateDir, docsPath } = deps.folders;
  const folders = createTurnFolders(stateDir);
  const promptOf = createTurnPrompt(deps, docsPath);

  /** Whichever of the candidates answers in the end: none gets a tool that is not for it. */
  function toolsFor(
    candidates: readonly ModelCandidate[],
    context: Omit<Parameters<Toolbox['of']>[0], 'model'>,
  ): TurnSetting['tools'] {
    const [mine, ...others] = candidates.map((model) => deps.toolbox.of({ ...context, model }).tools);
    return others.length === 0 ? mine! : mine!.filter((tool) => others.every((theirs) => theirs.includes(tool)));
  }

  /** The models that may answer, once the folders are there. */
  async function begin(turn: Turn, entry: SessionEntry): Promise<Begun> {
    const agent = resolveAgent(deps.config(), turn.route.agentId);
    const place = deps.place(turn.route);
    const [candidates] = await Promise.all([
      deps.models.choose(agent.id, turn.options.model ?? modelOverride(entry)),
      folders.ready(place, agent),
    ]);
    const thinking = thinkingLevel(turn, entry, agent, candidates[0]!.info.reasoning ?? false);
    return { turn, entry, agent, place, candidates, thinking };
  }

  async function prepare(requested: Turn, { entry }: { entry: SessionEntry }): Promise<TurnSetting> {
    const begun = await begin(requested, entry);
    const { turn, agent, place, candidates, thinking } = begun;
    const first = candidates[0]!;
    const [files, listed, describesPictures, origins] = await Promise.all([
      folders.contextFiles(place, agent),
      folders.skills(place.agentWorkspace),
      deps.describesPictures(first),
      originsOf([turn.trigger?.origin === 'session' ? turn.trigger.from : undefined, entry.spawnedBy], deps.session),
    ]);
    const tools = toolsFor(candidates, {
      route: turn.route,
      senders: sendersOf(turn.authority),
      describesPictures,
      sandbox: place.sandbox,
      origins,
      known: placeOf(turn),
    });
    return {
      candidates,
      system: promptOf(begun, { files, listed, tools }),
      tools,
      environment: deps.toolBounds.of({
        turn,
        entry,
        place,
        tools,
        seesPictures: candidates.every(({ info }) => info.input?.includes('image') ?? true),
      }),
      thinking,
      timeoutMs: agent.timeoutMs,
      answerChars: agent.answerChars,
      contextTokens: Math.min(first.info.contextWindow, agent.contextTokens ?? Infinity),
    };
  }

  /** Those the agent may use, wherever it is asked. */
  async function skillsOf(agentId: string): Promise<readonly Skill[]> {
    const { skills: usable } = resolveAgent(deps.config(), agentId);
    const listed = await folders.skills(workspaceOf(agentId));
    return usable ? listed.filter(({ name }) => usable.includes(name)) : listed;
  }

  return { prepare, skillsOf };
}

const placeOf = ({ place: { spaceId, names } = {} }: Turn): KnownPlace => present({ spaceId, names });

/**
 * The level the turn asks for, else the session's, else the agent's; else low on models that can reason. `off` is told
 * to the vendor, whose own default may be to think.
 */
function thinkingLevel(
  turn: Turn,
  entry: SessionEntry,
  agent: ResolvedAgent,
  reasoning: boolean,
): ThinkingLevel | undefined {
  return turn.options.thinking ?? entry.thinkingLevel ?? agent.thinkingDefault ?? (reasoning ? 'low' : undefined);
}
