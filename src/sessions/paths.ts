/** Where sessions live on disk: the documented layout, or what `session.store` says. */
import { dirname, join } from 'node:path';
import { expandPath } from '../platform/env.ts';

/** `agents/<agentId>/sessions/sessions.json`, or `session.store` with `{agentId}` replaced. Absolute. */
export function storePath(place: { readonly stateDir: string; readonly home: string; readonly store?: string | undefined }, agentId: string): string {
  if (place.store) return expandPath(place.store.replaceAll('{agentId}', agentId), place.home);
  return join(place.stateDir, 'agents', agentId, 'sessions', 'sessions.json');
}

/** The transcript beside the store. Ids from clients are kept out of other folders. */
export function transcriptPath(store: string, sessionId: string): string {
  return join(dirname(store), `${sessionId.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '_')}.jsonl`);
}
