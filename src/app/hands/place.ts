/** Where an agent's hands are in one conversation: whose, in which box, with which workspace. */
import { join } from 'node:path';
import type { AgentsConfig, ToolsConfig } from '../../agent/config.ts';
import { agentEntry, resolveAgent } from '../../agent/resolve-agent.ts';
import { mainSessionKey, type KeyRules } from '../../core/session-key.ts';
import { INSIDE } from '../../features/exec/sandbox/backend.ts';
import { resolveSandbox, type SandboxQuestion } from '../../features/exec/sandbox/resolve-sandbox.ts';
import type { SandboxSetting } from '../../features/exec/sandbox/sandbox-setting.ts';
import { expandPath } from '../../platform/env.ts';

export interface PlaceDeps {
  config(): { readonly agents: AgentsConfig; readonly tools: ToolsConfig };
  keyRules(): KeyRules;
  readonly home: string;
  readonly stateDir: string;
}

export interface HandsPlace {
  /** The agent's own folder, absolute. */
  readonly agentWorkspace: string;
  /** The folder its tools work in: the same, or one of the sandbox's. */
  readonly workspace: string;
  /** The same folder as the agent knows it. */
  readonly shownAs: string;
  readonly sandbox: SandboxSetting | undefined;
}

/** Where the output of commands lies; absolute. */
export const processFolder = (stateDir: string): string => join(stateDir, 'processes');

/** Where the commands lie that wait for a person's word; absolute. */
export const waitingFolder = (stateDir: string): string => join(stateDir, 'waiting-commands');

interface At {
  readonly agentId: string;
  readonly sessionKey: string;
}

export function handsPlace(at: At, deps: PlaceDeps): HandsPlace {
  const question = sandboxQuestion(at, deps);
  const sandbox = resolveSandbox(question);
  const { agentWorkspace } = question;
  return {
    agentWorkspace,
    workspace: sandbox?.workspace ?? agentWorkspace,
    shownAs: sandbox ? INSIDE : agentWorkspace,
    sandbox,
  };
}

/** What decides whether a conversation is boxed in. */
export function sandboxQuestion(
  { agentId, sessionKey }: At,
  { config, keyRules, home, stateDir }: PlaceDeps,
): SandboxQuestion {
  const now = config();
  return {
    defaults: now.agents.defaults.sandbox,
    agent: agentEntry(now, agentId)?.sandbox,
    agentId,
    sessionKey,
    stateDir,
    mainKey: mainSessionKey(agentId, keyRules()),
    agentWorkspace: expandPath(resolveAgent(now, agentId).workspace, home),
  };
}
