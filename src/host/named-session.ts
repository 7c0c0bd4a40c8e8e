/** Resolves the session key that a client names. Its agent must exist, because its id becomes a folder name on disk. */
import { parseSessionKey } from '../core/session-key.ts';
import { refuse } from './method.ts';
import { head } from '../core/cut.ts';

/** What reading the name of a session needs to know. */
export interface NamedSessionDeps {
  canonicalKey(raw: string): string;
  agentIds(): readonly string[];
}

/**
 * Characters of a key; with control characters or halves of characters it would break the files and logs that carry it.
 */
const MAX_KEY_LENGTH = 512;

/** `agentId` beside a bare or main key picks the agent, beside another agent's key it is an error. */
export function namedSession(deps: NamedSessionDeps, raw: string, agentId?: string): string {
  if (raw.length > MAX_KEY_LENGTH || /\p{Cc}/u.test(raw) || !raw.isWellFormed())
    throw refuse(`a session key has at most ${MAX_KEY_LENGTH} characters and no control characters`);
  const key = canonical(deps, raw, agentId);
  const named = parseSessionKey(key);
  if (named) requireAgentId(deps, named.agentId);
  return key;
}

function canonical(deps: NamedSessionDeps, raw: string, agentId: string | undefined): string {
  if (agentId === undefined) return deps.canonicalKey(raw);
  requireAgentId(deps, agentId);
  const bare = raw.trim().toLowerCase();
  const key = deps.canonicalKey(bare.startsWith('agent:') || bare === 'global' ? raw : `agent:${agentId}:${raw}`);
  if (key.startsWith('agent:') && !key.startsWith(`agent:${agentId.toLowerCase()}:`))
    throw refuse(`agentId "${agentId}" does not match session key "${raw}"`);
  return key;
}

/** Throws `not_found` for an agent nobody configured. */
export function requireAgentId({ agentIds }: Pick<NamedSessionDeps, 'agentIds'>, agentId: string): void {
  if (!agentIds().includes(agentId.toLowerCase()))
    throw refuse(`unknown agent id "${head(agentId, 64)}"; agents.list names them`, {
      code: 'UNKNOWN_AGENT_ID',
      agentId,
    });
}
