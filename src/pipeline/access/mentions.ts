/** Detects a mention of the agent: configured patterns, else its name and emoji. Pure. */
import type { SaidWords } from '../../core/said.ts';
import type { Matcher } from '../../platform/match-in-time.ts';

export interface MentionRules {
  /** The agent's own, regular expressions; even an empty list wins. */
  readonly own: readonly string[] | undefined;
  readonly general: readonly string[] | undefined;
  readonly name: string | undefined;
  readonly emoji: string | undefined;
}

/** Marks that show nothing and hide a name: zero-width, joiners, text direction. */
const INVISIBLE = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

export function mentionPatterns({ own, general, name, emoji }: MentionRules): readonly RegExp[] {
  const written = own ?? general;
  if (written) return written.flatMap(compiled);
  return [
    ...(name?.trim() ? [`(?<!\\w)@?${escaped(name.trim())}(?!\\w)`] : []),
    ...(emoji?.trim() ? [escaped(emoji.trim())] : []),
  ].flatMap(compiled);
}

/** `matches`: how patterns somebody wrote are tried. */
export const mentionsAgent = (
  said: SaidWords,
  patterns: readonly RegExp[],
  matches: Matcher = (pattern, text) => pattern.test(text),
): boolean => {
  const visible = said.replace(INVISIBLE, '');
  return patterns.some((pattern) => matches(pattern, visible));
};

/**
 * A pattern that is none counts for nothing; the configuration names it when it is read. JSON's `\b` is a backspace,
 * and a word boundary was meant.
 */
function compiled(pattern: string): RegExp[] {
  try {
    return [new RegExp(pattern.replaceAll('\b', '\\b'), 'iu')];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
