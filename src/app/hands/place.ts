/** Where an agent's hands are in one conversation: whose, in which box, with which workspace. */
import type { AgentsConfig, ToolsConfig } from '../../agent/config.ts';
import { agentEntry, resolveAgent } from '../../agent/resolve-agent.ts';
import { mainSessionKey, type KeyRules } from '../../core/session-key.ts';
import { resolveSandbox } from '../../exec/sandbox/resolve-sandbox.ts';
import type { SandboxSetting } from '../../exec/sandbox/sandbox-setting.ts';
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
  readonly sandbox: SandboxSetting | undefined;
}

export function handsPlace({ agentId, sessionKey }: { readonly agentId: string; readonly sessionKey: string }, deps: PlaceDeps): HandsPlace {
  const config = deps.config();
  const agentWorkspace = expandPath(resolveAgent(config, agentId).workspace, deps.home);
  const own = agentEntry(config, agentId)?.sandbox;
  const sandbox = resolveSandbox({
    defaults: config.agents.defaults.sandbox, agentId, sessionKey, agentWorkspace, stateDir: deps.stateDir,
    mainKey: mainSessionKey(agentId, deps.keyRules()), ...(own ? { agent: own } : {}),
  });
  return { agentWorkspace, workspace: sandbox?.workspace ?? agentWorkspace, sandbox };
}
