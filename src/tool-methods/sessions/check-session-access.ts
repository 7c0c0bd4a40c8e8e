/**
 * Decides which sessions the tools of a turn may access: the same rule for listing, reading, writing and status. Pure.
 */
import { readPattern } from './agent-pattern.ts';
import type { AgentToAgentConfig, SessionVisibility } from '../../config/session-tools-config.ts';

export interface Party {
  readonly key: string;
  readonly agentId: string;
}

export interface SessionAccessQuestion {
  readonly requester: Party;
  readonly target: Party;
  readonly action: 'list' | 'history' | 'send' | 'status';
  readonly config: {
    /** `tools.sessions.visibility`; absent: by `agentToAgent.enabled`. */
    readonly visibility?: SessionVisibility | undefined;
    readonly agentToAgent: AgentToAgentConfig;
    /** `sandbox.sessionToolsVisibility` of the requester's agent. */
    readonly sandboxVisibility: 'spawned' | 'all';
  };
  /** The requester's commands are boxed in. */
  readonly sandboxed: boolean;
  /** The requester started the target. */
  readonly spawned: boolean;
}

export type SessionAccess = { readonly ok: true } | { readonly ok: false; readonly error: string };

const YES: SessionAccess = { ok: true };
const no = (error: string): SessionAccess => ({ ok: false, error });

export function checkSessionAccess({
  requester,
  target,
  action,
  config,
  sandboxed,
  spawned,
}: SessionAccessQuestion): SessionAccess {
  const self = requester.key === target.key;
  if (self && action === 'send') return no('A session cannot write to itself: this is your own session.');
  if (self) return YES;
  const { visibility = config.agentToAgent.enabled ? 'all' : 'agent', agentToAgent } = config;
  if (visibility === 'self') return no('Only this session is visible: tools.sessions.visibility is "self".');
  if (spawned) return YES;
  if (sandboxed && config.sandboxVisibility === 'spawned')
    return no(`Session not visible from this sandboxed agent session: ${target.key}`);
  if (visibility === 'tree')
    return no('Only this session and the sessions it started are visible: tools.sessions.visibility is "tree".');
  if (requester.agentId === target.agentId) return YES;
  if (visibility === 'agent')
    return no(
      `The session belongs to the agent "${target.agentId}". Sessions of other agents are not visible: ` +
        'tools.agentToAgent.enabled is off, or tools.sessions.visibility is "agent".',
    );
  return acrossAgents(requester.agentId, target.agentId, agentToAgent);
}

function acrossAgents(from: string, to: string, { enabled, allow }: AgentToAgentConfig): SessionAccess {
  if (!enabled)
    return no(
      `The session belongs to the agent "${to}". Agents may not message each other: tools.agentToAgent.enabled is off.`,
    );
  const listed = (agentId: string): boolean =>
    allow.length === 0 || allow.some((pattern) => readPattern(pattern)(agentId));
  return listed(from) && listed(to)
    ? YES
    : no(`The agents "${from}" and "${to}" may not message each other: list both in tools.agentToAgent.allow.`);
}
