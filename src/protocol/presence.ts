/** Presence as differences, for clients that support them. No dependencies, because browsers load it too. */
import type { PresenceChangedEvent, PresenceEntry } from './answers/presence.ts';

/** What tells two entries apart. */
export const presenceId = ({
  deviceId,
  instanceId,
  host,
}: Pick<PresenceEntry, 'deviceId' | 'instanceId' | 'host'>): string => deviceId ?? instanceId ?? host ?? 'system';

/** The list after a difference; an entry that changed moves to the end, where the newest is. */
export function withPresenceChange(
  list: readonly PresenceEntry[],
  { changed, gone }: PresenceChangedEvent,
): readonly PresenceEntry[] {
  const replaced = new Set([...gone, ...changed.map(presenceId)]);
  return [...list.filter((entry) => !replaced.has(presenceId(entry))), ...changed];
}
