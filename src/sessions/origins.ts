/** Follows the chain of sessions that requested the work of a session. */
import type { SessionEntry } from './entry.ts';

type Lookup = (key: string) => Promise<Pick<SessionEntry, 'spawnedBy'> | undefined>;

/** Keys, the nearest first; those given come before what they lead to. */
export async function originsOf(from: readonly (string | undefined)[], get: Lookup): Promise<readonly string[]> {
  const origins = new Set<string>();
  for (const first of from)
    for (let key = first; key !== undefined && !origins.has(key); key = (await get(key))?.spawnedBy) origins.add(key);
  return [...origins];
}
