/**
 * What a turn runs with: agent, models, prompt, tools and their reach. Read from the configuration as it is when the
 * turn begins.
 */
import { join } from 'node:path';
import type { AgentsConfig, ToolsConfig } from '../config.ts';
import type { Models } from '../models/create-models.ts';
import { aliases } from '../models/model-ref.ts';
import { createPromptCache } from '../prompt/prompt-cache.ts';
import type { KnownPlace } from '../tool-policy/group-place.ts';
import { resolveAgent, type ResolvedAgent } from '../resolve-agent.ts';
import type { TurnSetting } from './run-turn.ts';
import { createContextFiles } from '../workspace/context-files.ts';
import { prepareWorkspace } from '../workspace/prepare-workspace.ts';
import { createSkills, type Skill } from '../workspace/skills.ts';
import { sendersOf } from '../../core/authority.ts';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { Route } from '../../core/route.ts';
import { isSubagentKey } from '../../core/session-key.ts';
import type { ThinkingLevel, Turn } from '../../core/turn.ts';
import type { Whose, Workplace } from '../../host/tool-environment.ts';
import type { ChatSight } from '../environment/pictures.ts';
import type { Reaches } from '../environment/tool-reach.ts';
import { ensureDir } from '../../platform/files.ts';
import { machineName, systemName } from '../../platform/machine-name.ts';
import { createMachineZone } from '../../platform/time-zone.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { modelOverride } from '../../sessions/model-override.ts';
import { originsOf } from '../../sessions/origins.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';

export interface TurnSettingDeps {
  config(): { readonly agents: AgentsConfig; readonly tools: ToolsConfig };
  readonly models: Models;
  readonly toolbox: Toolbox;
  readonly reaches: Reaches;
  /** The entry of a session; undefined: there is none. */
  session(key: string): Promise<Pick<SessionEntry, 'spawnedBy'> | undefined>;
  /** Where an agent works. */
  place(at: Pick<Route, 'agentId' | 'sessionKey'>): Workplace;
  /** The people behind a turn may let commands out of the sandbox. */
  mayElevate(whose: Whose): boolean;
  describesPictures(chat: ChatSight): Promise<boolean | 'text'>;
  /** Answers there can point at a message. Absent: nowhere. */
  replyTags?(address: ChatAddress): boolean;
  /** What features add to the prompt of an agent. Absent: nothing. */
  sections?(agentId: string): readonly string[];
  readonly folders: {
    /** The folder of an agent, absolute. */
    workspaceOf(agentId: string): string;
    readonly stateDir: string;
    readonly docsPath: string;
  };
}

export function createTurnSetting(deps: TurnSettingDeps) {
  const prompts = createPromptCache();
  const contextFiles = createContextFiles();
  const skills = createSkills();
  const ready = new Map<string, Promise<unknown>>();
  const hostZone = createMachineZone();

  const { workspaceOf, stateDir, docsPath } = deps.folders;

  /** Creates a folder, and for an agent its files, once per process. */
  function once(dir: string, make: () => Promise<unknown>): Promise<unknown> {
    const known = ready.get(dir) ?? make();
    ready.set(dir, known);
    known.catch(() => ready.delete(dir));
    return known;
  }

  async function prepare(turn: Turn, { entry }: { entry: SessionEntry }): Promise<TurnSetting> {
    const agent = resolveAgent(deps.config(), turn.route.agentId);
    const place = deps.place(turn.route);
    const home = place.agentWorkspace;
    const [candidates] = await Promise.all([
      deps.models.choose(agent.id, turn.options.model ?? modelOverride(entry)),
      once(home, () => prepareWorkspace(home, { starterFiles: !agent.skipBootstrap })),
      place.workspace === home ? undefined : once(place.workspace, () => ensureDir(place.workspace)),
    ]);
    const first = candidates[0]!;
    const usable = turn.place?.skills ?? agent.skills;
    const [files, listed, describesPictures, origins] = await Promise.all([
      contextFiles.load(home, {
        perFile: agent.bootstrapMaxChars,
        total: agent.bootstrapMaxChars * 4,
        confined: place.sandbox !== undefined,
        shownAs: place.shownAs,
      }),
      skills.list(skillFolders(home, stateDir)),
      deps.describesPictures(first),
      originsOf([turn.trigger?.origin === 'session' ? turn.trigger.from : undefined, entry.spawnedBy], deps.session),
    ]);
    const thinking = thinkingLevel(turn, entry, agent, first.info.reasoning ?? false);
    const context = {
      route: turn.route,
      senders: sendersOf(turn.authority),
      describesPictures,
      sandbox: place.sandbox,
      origins,
      told: placeOf(turn),
    };
    const [mine, ...others] = candidates.map((model) => deps.toolbox.of({ ...context, model }).tools);
    // Whichever of them answers in the end: none gets a tool that is not for it.
    const tools = others.length === 0 ? mine! : mine!.filter((tool) => others.every((theirs) => theirs.includes(tool)));
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
        model: `${first.provider}/${first.modelId}`,
        channel: turn.route.replyTo.channel,
        thinking,
      },
    });
    const system = turn.options.extraSystemPrompt ? `${prompt}\n\n${turn.options.extraSystemPrompt}` : prompt;
    const reach = deps.reaches.of({ turn, entry, place, tools });
    return {
      candidates,
      system,
      tools,
      reach,
      thinking,
      timeoutMs: agent.timeoutMs,
      answerChars: agent.answerChars,
      contextTokens: Math.min(first.info.contextWindow, agent.contextTokens ?? Infinity),
    };
  }

  /** Those the agent may use, wherever it is asked. */
  async function skillsOf(agentId: string): Promise<readonly Skill[]> {
    const { skills: usable } = resolveAgent(deps.config(), agentId);
    const listed = await skills.list(skillFolders(workspaceOf(agentId), stateDir));
    return usable ? listed.filter(({ name }) => usable.includes(name)) : listed;
  }

  return { prepare, skillsOf };
}

const skillFolders = (workspace: string, stateDir: string): readonly string[] => [
  join(workspace, 'skills'),
  join(stateDir, 'skills'),
];

const placeOf = ({ place: { spaceId, names } = {} }: Turn): KnownPlace => present({ spaceId, names });

/**
 * The turn's wish, the session's, the agent's; else low on models that can reason. `off` is told to the vendor, whose
 * own default may be to think.
 */
function thinkingLevel(
  turn: Turn,
  entry: SessionEntry,
  agent: ResolvedAgent,
  reasoning: boolean,
): ThinkingLevel | undefined {
  return turn.options.thinking ?? entry.thinkingLevel ?? agent.thinkingDefault ?? (reasoning ? 'low' : undefined);
}
