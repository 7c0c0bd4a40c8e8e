/** What a turn runs with: agent, models, prompt, tools. Read from the configuration as it is when the turn begins. */
import { arch, hostname, platform } from 'node:os';
import { join } from 'node:path';
import type { AgentsConfig, ToolsConfig } from '../agent/config.ts';
import { aliases } from '../agent/models/model-ref.ts';
import type { Models } from '../agent/models/create-models.ts';
import { createPromptCache } from '../agent/prompt/prompt-cache.ts';
import { resolveAgent, type ResolvedAgent } from '../agent/resolve-agent.ts';
import type { TurnSetting } from '../agent/turn/run-turn.ts';
import { createContextFiles } from '../agent/workspace/context-files.ts';
import { prepareWorkspace } from '../agent/workspace/prepare-workspace.ts';
import { createSkills } from '../agent/workspace/skills.ts';
import { permittedTools } from '../agent/tool-policy.ts';
import type { Tool } from '../core/tool.ts';
import type { ThinkingLevel, Turn } from '../core/turn.ts';
import { expandPath } from '../platform/env.ts';
import type { SessionEntry } from '../sessions/entry.ts';

export interface TurnSettingDeps {
  config(): { readonly agents: AgentsConfig; readonly tools: ToolsConfig };
  readonly models: Models;
  readonly tools: readonly Tool[];
  readonly home: string;
  readonly stateDir: string;
  readonly docsPath: string;
}

export function createTurnSetting(deps: TurnSettingDeps) {
  const prompts = createPromptCache();
  const contextFiles = createContextFiles();
  const skills = createSkills();
  const ready = new Map<string, Promise<unknown>>();
  const machineZone = Intl.DateTimeFormat().resolvedOptions().timeZone; // asking takes 0.2 ms, too long for every turn

  const workspaceOf = (agentId: string): string => expandPath(resolveAgent(deps.config(), agentId).workspace, deps.home);

  /** Creates the agent's folder and its files once per process. */
  function ensureWorkspace(agent: ResolvedAgent, dir: string): Promise<unknown> {
    const known = ready.get(dir) ?? prepareWorkspace(dir, { starterFiles: !agent.skipBootstrap });
    ready.set(dir, known);
    known.catch(() => ready.delete(dir));
    return known;
  }

  async function prepare(turn: Turn, { entry }: { entry: SessionEntry }): Promise<TurnSetting> {
    const agent = resolveAgent(deps.config(), turn.route.agentId);
    const workspace = expandPath(agent.workspace, deps.home);
    const [candidates] = await Promise.all([deps.models.choose(agent.id, turn.options.model ?? modelOverride(entry)), ensureWorkspace(agent, workspace)]);
    const [files, listed] = await Promise.all([
      contextFiles.load(workspace, { perFile: agent.bootstrapMaxChars, total: agent.bootstrapMaxChars * 4 }),
      skills.list([join(workspace, 'skills'), join(deps.stateDir, 'skills')]),
    ]);
    const first = candidates[0]!;
    const thinking = thinkingLevel(turn, entry, agent, first.info.reasoning ?? false);
    const tools = permittedTools(deps.tools, [deps.config().tools, agent.tools]);
    const prompt = prompts.build({
      mode: 'full', agent: { id: agent.id, name: agent.identity?.name ?? agent.name }, tools, workspaceDir: workspace, contextFiles: files,
      skills: agent.skills ? listed.filter((skill) => agent.skills!.includes(skill.name)) : listed, docsPath: deps.docsPath, modelAliases: aliases(deps.config()),
      timezone: agent.userTimezone ?? machineZone,
      runtime: { host: hostname(), os: `${platform()} ${arch()}`, node: process.version, model: `${first.provider}/${first.modelId}`, channel: turn.route.replyTo.channel, thinking },
    });
    const system = turn.options.extraSystemPrompt ? `${prompt}\n\n${turn.options.extraSystemPrompt}` : prompt;
    return { candidates, system, tools, workspace, readableRoots: [join(deps.stateDir, 'skills'), deps.docsPath], thinking, timeoutMs: agent.timeoutMs, contextTokens: Math.min(first.info.contextWindow, agent.contextTokens ?? Infinity) };
  }

  return { prepare, workspaceOf };
}

/** The model a session was told to use. */
export const modelOverride = (entry: SessionEntry): string | undefined =>
  entry.modelOverride && (entry.providerOverride ? `${entry.providerOverride}/${entry.modelOverride}` : entry.modelOverride);

/** The turn's wish, the session's, the agent's; else low on models that can reason. `off` is told to the vendor, whose own default may be to think. */
function thinkingLevel(turn: Turn, entry: SessionEntry, agent: ResolvedAgent, reasoning: boolean): ThinkingLevel | undefined {
  return turn.options.thinking ?? entry.thinkingLevel ?? agent.thinkingDefault ?? (reasoning ? 'low' : undefined);
}
