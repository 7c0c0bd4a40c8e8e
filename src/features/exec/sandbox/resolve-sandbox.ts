/**
 * Whether commands of a session are sandboxed, and how: the merged configuration, and the setting that decided. Pure.
 */
import { join } from 'node:path';
import type { AgentSandboxConfig, SandboxConfig } from '../config.ts';
import { sha256Hex } from '../../../platform/ids.ts';
import type { SandboxSetting } from './sandbox-setting.ts';

export interface SandboxQuestion {
  /** `agents.defaults.sandbox`. */
  readonly defaults: SandboxConfig;
  /** `agents.list[].sandbox` of this agent. */
  readonly agent?: AgentSandboxConfig | undefined;
  readonly agentId: string;
  readonly sessionKey: string;
  /** The whole key of the agent's main session. */
  readonly mainKey: string;
  /** Absolute. */
  readonly agentWorkspace: string;
  /** Absolute. */
  readonly stateDir: string;
}

/** Undefined: commands of this conversation run on the machine itself. */
export function resolveSandbox(question: SandboxQuestion): SandboxSetting | undefined {
  return decideSandbox(question).sandboxed ? settingOf(question) : undefined;
}

/** The same decision with the setting that made it, for people. */
export function decideSandbox({ defaults, agent, agentId, sessionKey, mainKey }: SandboxQuestion): {
  readonly sandboxed: boolean;
  readonly because: string;
} {
  const mode = agent?.mode ?? defaults.mode;
  const setting =
    `${agent?.mode === undefined ? 'agents.defaults.sandbox.mode' : `agents.list[] (${agentId}) sandbox.mode`} ` +
    `= "${mode}"`;
  if (mode !== 'non-main') return { sandboxed: mode === 'all', because: setting };
  const main = sessionKey === mainKey;
  return { sandboxed: !main, because: `${setting}; ${sessionKey} is ${main ? 'the' : 'not the'} main session` };
}

function settingOf(question: SandboxQuestion): SandboxSetting {
  const { defaults, agent = {}, agentWorkspace, stateDir } = question;
  const scope = agent.scope ?? defaults.scope;
  const scopeKey = scopeKeyOf(scope, question);
  const workspaceAccess = agent.workspaceAccess ?? defaults.workspaceAccess;
  return {
    backend: agent.backend ?? defaults.backend,
    scope,
    scopeKey,
    workspaceAccess,
    agentWorkspace,
    workspace: workspaceAccess === 'none' ? join(stateDir, 'sandboxes', folderName(scopeKey), 'work') : agentWorkspace,
    network: agent.network ?? defaults.network,
    sessions: agent.sessionToolsVisibility ?? defaults.sessionToolsVisibility,
    limits: { ...defaults.limits, ...defined(agent.limits) },
    env: { ...defaults.env, ...agent.env },
    docker: { ...defaults.docker, ...defined(agent.docker) },
  };
}

function scopeKeyOf(scope: SandboxSetting['scope'], { agentId, sessionKey }: SandboxQuestion): string {
  switch (scope) {
    case 'session':
      return `session:${sessionKey}`;
    case 'agent':
      return `agent:${agentId}`;
    case 'shared':
      return 'shared';
  }
}

/** Readable, safe in a path and as a container's name, and different for different keys. */
export const folderName = (scopeKey: string): string =>
  `${scopeKey
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)}-${sha256Hex(scopeKey).slice(0, 12)}`;

/** Keys that are there but undefined replace nothing. */
const defined = <T extends object>(part: T | undefined): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> =>
  Object.fromEntries(Object.entries(part ?? {}).filter(([, value]) => value !== undefined)) as Partial<{
    [K in keyof T]: Exclude<T[K], undefined>;
  }>;
