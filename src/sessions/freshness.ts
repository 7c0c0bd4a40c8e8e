/** Whether a session is due to start over by itself (`session.reset*`). Pure; evaluated at the next message. */
import { chatKindOfKey } from '../core/session-key.ts';
import type { ResetPolicy, SessionConfig } from './config.ts';
import type { SessionEntry } from './entry.ts';

export function resetPolicy(config: SessionConfig, sessionKey: string, channel: string): ResetPolicy {
  const kind = chatKindOfKey(sessionKey);
  const type = kind === 'thread' ? 'thread' : kind === 'direct' ? 'dm' : 'group';
  return config.resetByChannel[channel] ?? config.resetByType[type] ?? config.reset;
}

/** Counted from the last message a person wrote, so that heartbeats and cron keep nothing alive. */
export function isStale(policy: ResetPolicy, entry: Pick<SessionEntry, 'updatedAt' | 'lastUserActivityAt'>, now: Date): boolean {
  const idleMinutes = policy.idleMinutes ?? (policy.mode === 'idle' ? 60 : undefined);
  const lastSeen = entry.lastUserActivityAt ?? entry.updatedAt;
  if (policy.mode !== 'none' && idleMinutes !== undefined && now.getTime() > lastSeen + idleMinutes * 60_000) return true;
  return policy.mode === 'daily' && lastSeen < lastBoundary(now, policy.atHour);
}

function lastBoundary(now: Date, hour: number): number {
  const boundary = new Date(now);
  boundary.setHours(hour, 0, 0, 0);
  if (boundary > now) boundary.setDate(boundary.getDate() - 1);
  return boundary.getTime();
}
