/** The kind of conversation of a session key, for lists. Pure. */
import { parseSessionKey } from '../core/session-key.ts';
import type { SessionEntry } from './entry.ts';

export const SESSION_KINDS = ['main', 'group', 'cron', 'hook', 'node', 'other'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/** `mainKey`: the main session of its agent. */
export function sessionKind(key: string, mainKey: string, entry?: Pick<SessionEntry, 'chatType'>): SessionKind {
  if (key === mainKey) return 'main';
  const rest = bareKey(key);
  if (rest.startsWith('cron:')) return 'cron';
  if (rest.startsWith('hook:')) return 'hook';
  if (/^node[-:]/.test(rest)) return 'node';
  return /(^|:)(group|channel):/.test(rest) || (entry?.chatType !== undefined && entry.chatType !== 'direct')
    ? 'group'
    : 'other';
}

/** Without `agent:<id>:`. */
const bareKey = (key: string): string => parseSessionKey(key)?.rest ?? key;

/** The channel it was last used on, else the one its key names. */
export function sessionChannel(
  key: string,
  kind: SessionKind,
  { channel, lastChannel }: Pick<SessionEntry, 'channel' | 'lastChannel'>,
): string {
  if (kind === 'cron' || kind === 'hook' || kind === 'node') return 'internal';
  return channel ?? lastChannel ?? /^([^:]+):(?:.+:)?(?:group|channel|dm):/.exec(bareKey(key))?.[1] ?? 'unknown';
}
