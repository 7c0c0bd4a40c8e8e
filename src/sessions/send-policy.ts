/** Decides whether answers may be sent in a session (`session.sendPolicy`, `/send`). Pure. */
import { chatKindOfKey } from '../core/session-key.ts';
import type { SessionConfig } from './config.ts';
import type { SessionEntry } from './entry.ts';

export function maySend(
  policy: SessionConfig['sendPolicy'],
  sessionKey: string,
  entry: SessionEntry | undefined,
): boolean {
  if (entry?.sendPolicy) return entry.sendPolicy === 'allow';
  const bare = sessionKey.replace(/^agent:[^:]+:/, '');
  const kind = entry?.chatType ?? chatKindOfKey(sessionKey);
  const matching = policy.rules.filter(
    ({ match }) =>
      (match.channel === undefined || match.channel === entry?.channel || bare.startsWith(`${match.channel}:`)) &&
      (match.chatType === undefined || match.chatType === kind) &&
      (match.rawKeyPrefix === undefined || sessionKey.startsWith(match.rawKeyPrefix.toLowerCase())) &&
      (match.keyPrefix === undefined ||
        [sessionKey, bare].some((text) => text.startsWith(match.keyPrefix!.toLowerCase()))),
  );
  if (matching.some((rule) => rule.action === 'deny')) return false;
  return matching.length > 0 || policy.default === 'allow';
}
