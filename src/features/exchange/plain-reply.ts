/**
 * The part of an answer that is passed to another session: without reasoning and without tool calls written as text.
 * Pure.
 */
import { SILENT_REPLY } from '../../core/product.ts';

const HIDDEN =
  'think(?:ing)?|thought|reasoning|antthinking|(?:minimax:)?tool_calls?|tool_use|function_calls?|invoke|tool_result';
/** A fence, a piece of code, or a tag: what stands in code is text. */
const TOKEN = new RegExp(`\`\`\`|\`[^\`\\n]*\`|<(/?)(?:antml:)?(?:(${HIDDEN})|final)\\b[^<>]{0,2000}>`, 'gi');
/** Calls and results as some models write them out when a conversation was moved to them. */
const WRITTEN_CALL =
  /^\[(?:Tool Call|Tool Result|Historical context)\b[^\]\n]{0,500}\][^\n]*\n?(?:Arguments:[^\n]*\n?(?:[{} \t"][^\n]*\n?)*)?/gim;

/** An answer that is nothing but the word for silence is empty. */
export function plainReply(text: string): string {
  const said = withoutTags(text).replace(WRITTEN_CALL, '').trim();
  return isWord(said, SILENT_REPLY) ? '' : said;
}

/** The text is this word and nothing else; what models set around it (`**`, quotes, a full stop) is nothing. */
export function isWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(text.slice(0, at) + text.slice(at + word.length));
}

/** One pass, however the tags are nested; what a tag opens and nothing closes goes on to the end. */
function withoutTags(text: string): string {
  const kept: string[] = [];
  const state = { from: 0, depth: 0, fenced: false };
  for (const match of text.matchAll(TOKEN)) {
    const [token, slash, hidden] = match;
    const isTag = token.startsWith('<');
    if (!isTag) {
      if (token === '```' && state.depth === 0) state.fenced = !state.fenced;
      continue;
    }
    if (state.fenced) continue;
    if (state.depth === 0) kept.push(text.slice(state.from, match.index));
    if (hidden !== undefined)
      state.depth = slash ? Math.max(0, state.depth - 1) : state.depth + (token.endsWith('/>') ? 0 : 1);
    state.from = match.index + token.length;
  }
  if (state.depth === 0) kept.push(text.slice(state.from));
  return kept.join('');
}
