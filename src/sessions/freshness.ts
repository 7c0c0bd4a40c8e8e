/** Decides whether a session is due for an automatic reset (`session.reset*`), at its next message. Pure. */
import { chatKindOfKey } from '../core/session-key.ts';
import type { ResetPolicy, SessionConfig } from './config.ts';
import type { SessionEntry } from './entry.ts';

export function resetPolicy(config: SessionConfig, sessionKey: string, channel: string): ResetPolicy {
  const kind = chatKindOfKey(sessionKey);
  const type = kind === 'thread' ? 'thread' : kind === 'direct' ? 'dm' : 'group';
  return config.resetByChannel[channel] ?? config.resetByType[type] ?? config.reset;
}

/** Counted from the last message a person wrote, so that heartbeats and cron keep nothing alive. */
export function isStale(
  policy: ResetPolicy,
  entry: Pick<SessionEntry, 'updatedAt' | 'lastUserActivityAt'>,
  now: Date,
): boolean {
  const mode = modeOf(policy);
  if (mode === 'none') return false;
  const idleMinutes = policy.idleMinutes ?? (mode === 'idle' ? 60 : undefined);
  const lastSeen = entry.lastUserActivityAt ?? entry.updatedAt;
  if (idleMinutes !== undefined && now.getTime() > lastSeen + idleMinutes * 60_000) return true;
  return mode === 'daily' && lastSeen < lastBoundary(now, policy.atHour ?? 4);
}

/** Whoever writes an hour or a pause wants it kept, also without naming the mode. */
function modeOf({ mode, atHour, idleMinutes }: ResetPolicy): NonNullable<ResetPolicy['mode']> {
  return mode ?? (atHour !== undefined ? 'daily' : idleMinutes !== undefined ? 'idle' : 'none');
}

function lastBoundary(now: Date, hour: number): number {
  const boundary = new Date(now);
  boundary.setHours(hour, 0, 0, 0);
  if (boundary > now) boundary.setDate(boundary.getDate() - 1);
  return boundary.getTime();
}
