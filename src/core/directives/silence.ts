/** Detects answers that ask for silence: `NO_REPLY`, and the token of a heartbeat without findings. Pure. */
import { SILENT_REPLY } from '../product.ts';

const HEARTBEAT_OK = 'HEARTBEAT_OK';
const TOKENS = [SILENT_REPLY, HEARTBEAT_OK];
/** Anything but letters and digits of any script. */
const MARKS = String.raw`[^\p{L}\p{N}_]*`;
const SILENT_START = new RegExp(`^${MARKS}${SILENT_REPLY}(?![\\p{L}\\p{N}_])`, 'u');
const SILENT_END = new RegExp(`\\b${SILENT_REPLY}${MARKS}$`, 'u');
const HEARTBEAT_START = new RegExp(`^${MARKS}${HEARTBEAT_OK}(?![\\p{L}\\p{N}_])[.!]?\\s*`, 'u');
const HEARTBEAT_END = new RegExp(`\\b${HEARTBEAT_OK}${MARKS}$`, 'u');
/** What may stand before a token that begins a text, which is not shown either where the token is. */
const ONLY_MARKS = new RegExp(`^${MARKS}$`, 'u');
/** Characters at the end in which a token may be growing. */
const TOKEN_WINDOW = 40;

/** `silent`: the text asks that nothing be said. No pattern begins with a repeated blank: a long run would be slow. */
export function readSilence(text: string): { readonly text: string; readonly silent: boolean } {
  const silent = SILENT_START.test(text) || SILENT_END.test(text);
  return { silent, text: silent ? '' : text.replace(HEARTBEAT_START, '').replace(HEARTBEAT_END, '').trimEnd() };
}

/** Characters at the end of a text that may become such a token; marks that begin the text may stand around one. */
export function begunToken(text: string): number {
  if (ONLY_MARKS.test(text)) return text.length;
  const end = text.slice(-TOKEN_WINDOW);
  const word = /\w+[^\p{L}\p{N}_]*$/u.exec(end)?.[0] ?? '';
  const bare = word.replace(/[^\p{L}\p{N}_]+$/u, '');
  if (bare === '' || !TOKENS.some((token) => token.startsWith(bare))) return 0;
  return ONLY_MARKS.test(text.slice(0, -word.length)) ? text.length : word.length;
}
