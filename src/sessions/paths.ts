/** The location of sessions on disk: the documented layout, or `session.store`. */
import { dirname, join } from 'node:path';
import { normaliseAgentId } from '../core/session-key.ts';
import { expandPath } from '../platform/env.ts';

/**
 * `agents/<agentId>/sessions/sessions.json`, or `session.store` with `{agentId}` replaced. Absolute. An id that is none
 * cannot name another folder.
 */
export function storePath(
  place: { readonly stateDir: string; readonly home: string; readonly store?: string | undefined },
  agent: string,
): string {
  const agentId = normaliseAgentId(agent);
  if (place.store) return expandPath(place.store.replaceAll('{agentId}', agentId), place.home);
  return join(place.stateDir, 'agents', agentId, 'sessions', 'sessions.json');
}

/** The transcript beside the store. Ids from clients are kept out of other folders. */
export function transcriptPath(store: string, sessionId: string): string {
  return join(dirname(store), `${sessionId.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '_')}.jsonl`);
}
