/**
 * Whether something is understood here: the first rule that matches the channel, the kind of chat and the session.
 * Pure.
 */
import type { ScopeConfig } from '../../config/understanding-config.ts';

export interface ScopePlace {
  readonly channel: string;
  readonly chatType: string;
  readonly sessionKey: string;
}

/** `rule`: the index of the rule that decided; absent when the default did. */
export interface ScopeDecision {
  readonly action: 'allow' | 'deny';
  readonly rule?: number;
}

/** Without a scope everything is allowed. A field a rule leaves out or blank holds everywhere. */
export function scopeDecision(scope: ScopeConfig | undefined, at: ScopePlace): ScopeDecision {
  if (!scope) return { action: 'allow' };
  const rule = scope.rules.findIndex(({ match }) => matches(match, at));
  return rule < 0 ? { action: scope.default } : { action: scope.rules[rule]!.action, rule };
}

/** `dm` means direct; undefined for a kind of chat that does not exist. */
export function normaliseChatType(written: string): 'direct' | 'group' | 'channel' | undefined {
  const word = plain(written);
  if (word === 'dm') return 'direct';
  return word === 'direct' || word === 'group' || word === 'channel' ? word : undefined;
}

/** A rule for a kind of chat that does not exist matches nothing: a slip of the pen must not hold everywhere. */
function matches({ channel, chatType, keyPrefix }: ScopeConfig['rules'][number]['match'], at: ScopePlace): boolean {
  if (plain(channel) && plain(channel) !== plain(at.channel)) return false;
  if (plain(chatType) && (normaliseChatType(chatType!) ?? 'none') !== normaliseChatType(at.chatType)) return false;
  return plain(at.sessionKey).startsWith(plain(keyPrefix));
}

const plain = (text: string | undefined): string => (text ?? '').trim().toLowerCase();
