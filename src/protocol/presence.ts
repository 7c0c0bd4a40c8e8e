/** Who is around, as differences: for clients that say they take them. No dependencies: browsers use this too. */

/**
 * `changed` are new or newer entries; `gone` names others by `presenceId`. `stale`: too much changed to tell, ask
 * `system-presence`. `since`: `stateVersion.presence` of the event before; who knows only an older one missed some, and
 * asks too.
 */
export interface PresenceChangedEvent {
  readonly changed: readonly unknown[];
  readonly gone: readonly string[];
  readonly since?: number;
  readonly stale?: true;
}

/** What tells two entries apart. */
export const presenceId = ({
  deviceId,
  instanceId,
  host,
}: {
  readonly deviceId?: string;
  readonly instanceId?: string;
  readonly host?: string;
}): string => deviceId ?? instanceId ?? host ?? 'system';

/** The list after a difference; an entry that changed moves to the end, where the newest is. */
export function withPresenceChange<E extends Parameters<typeof presenceId>[0]>(
  list: readonly E[],
  { changed, gone }: PresenceChangedEvent,
): readonly E[] {
  const replaced = new Set([...gone, ...(changed as readonly E[]).map(presenceId)]);
  return [...list.filter((entry) => !replaced.has(presenceId(entry))), ...(changed as readonly E[])];
}
