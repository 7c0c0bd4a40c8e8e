/** The folder and sandbox of an agent in one session. */
import { join } from 'node:path';
import type { HostAgents, HostSessions } from '../../host/host.ts';
import type { At, Workplace } from '../../host/tool-environment.ts';
import { expandPath } from '../../platform/env.ts';
import { execAgent, type ExecConfiguration } from './configuration.ts';
import { INSIDE } from './sandbox/backend.ts';
import { resolveSandbox, type SandboxQuestion } from './sandbox/resolve-sandbox.ts';
import type { SandboxSetting } from './sandbox/sandbox-setting.ts';

export interface PlaceDeps {
  config(): Pick<ExecConfiguration, 'agents'>;
  readonly agents: Pick<HostAgents, 'entry' | 'resolve'>;
  readonly mainKey: HostSessions['mainKey'];
  readonly home: string;
  readonly stateDir: string;
}

export interface ExecPlace extends Workplace {
  readonly sandbox: SandboxSetting | undefined;
}

/** Permissions people gave; absolute. */
export const approvalsPath = (stateDir: string): string => join(stateDir, 'exec-approvals.json');

/** Where the output of commands lies; absolute. */
export const processFolder = (stateDir: string): string => join(stateDir, 'processes');

/** Where the commands lie that wait for a person's word; absolute. */
export const waitingFolder = (stateDir: string): string => join(stateDir, 'waiting-commands');

export function placeOf(at: At, deps: PlaceDeps): ExecPlace {
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
  { config, agents, mainKey, home, stateDir }: PlaceDeps,
): SandboxQuestion {
  return {
    defaults: config().agents.defaults.sandbox,
    agent: execAgent(agents, agentId)?.sandbox,
    agentId,
    sessionKey,
    stateDir,
    mainKey: mainKey(agentId),
    agentWorkspace: expandPath(agents.resolve(agentId).workspace, home),
  };
}
