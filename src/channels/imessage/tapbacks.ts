/** Converts tapbacks, Apple's six and other emoji, between the agent and both programs. Pure. */

const KINDS: Readonly<Record<string, string>> = {
  love: '❤️',
  like: '👍',
  dislike: '👎',
  laugh: '😂',
  emphasize: '‼️',
  emphasis: '‼️',
  question: '❓',
};
const bare = (emoji: string): string => emoji.replaceAll('\ufe0f', '').trim();

/** `like` → 👍; an emoji stays. */
export const emojiOf = (kind: string): string => KINDS[kind.toLowerCase()] ?? kind;

/** 👍 → `like`; undefined for an emoji that is none of the six. */
export function kindOf(emoji: string): string | undefined {
  const wanted = bare(emoji);
  if (wanted.toLowerCase() in KINDS) return wanted.toLowerCase();
  const same: Readonly<Record<string, string>> = {
    '♥': 'love',
    '🤣': 'laugh',
    '❗': 'emphasize',
    '!!': 'emphasize',
    '?': 'question',
  };
  return Object.entries(KINDS).find(([, one]) => bare(one) === wanted)?.[0] ?? same[wanted];
}

/** `p:0/GUID` and `bp:GUID` → `GUID`. */
export const guidOf = (associated: string): string => associated.replace(/^(?:p:\d+\/|bp:)/, '');
