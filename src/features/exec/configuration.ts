/** The configuration with the slices of this folder, which other code does not know. */
import type { ElevatedLevel } from '../../core/command-levels.ts';
import type { Host, HostAgents } from '../../host/host.ts';
import type { AgentElevatedConfig, AgentExecConfig, AgentSandboxConfig } from './config.ts';
import type { ElevatedConfig, ExecConfig, SandboxConfig } from './config.ts';

type Current = ReturnType<Host['config']['current']>;

/** What holds for every agent. */
export interface ExecConfiguration {
  readonly tools: { readonly exec: ExecConfig; readonly elevated: ElevatedConfig };
  readonly agents: {
    readonly defaults: { readonly sandbox: SandboxConfig; readonly elevatedDefault: ElevatedLevel };
    readonly list: readonly ExecAgent[];
  };
  readonly access: Current['access'];
}

/** What is written about one agent. */
export interface ExecAgent {
  readonly tools?: { readonly exec?: AgentExecConfig; readonly elevated?: AgentElevatedConfig };
  readonly sandbox?: AgentSandboxConfig;
}

export const execConfiguration = (config: Current): ExecConfiguration => config as unknown as ExecConfiguration;

export const execAgent = (agents: Pick<HostAgents, 'entry'>, agentId: string): ExecAgent | undefined =>
  agents.entry(agentId) as ExecAgent | undefined;
