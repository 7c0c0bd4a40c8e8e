/**
 * Takes off what the gateway puts around a message of a channel: what was said before, quotes, the envelope, ids. Pure.
 */

const CURRENT = '[Current message - respond to this]';
const THREAD_STARTER = /^\[Thread started by [^\]\n]*\]\n[\s\S]*?\n\[\/Thread\]\s*/;
const QUOTE_BEGINS = /\[(?:Replying to|Quoting) [^[\]\n]*\]\n/;
const QUOTE_ENDS = /\n\[\/(?:Replying|Quoting)\]$/;
const MESSAGE_ID = /(?<!\s)\s*\[message_id: [^[\]\n]*\]\s*$/;
/** `[Telegram Ann id:42 …] `; a note's heading has its line to itself, or a file's name in quotes behind it. */
const ENVELOPE = /^\[(?:(?=[^\]\n]* id:)[^\]\n]*\][ \t]*|[^\]\n]+\][ \t]*(?=[^\s"]))/;
/** In groups `Ann (42): `, or the id alone where no name is known. */
const SENDER = /^(?:[^\n]{1,80}? \([\w:.@-]+\)|\d{3,}|[UW][A-Z0-9]{6,}): /;
const MENTION = /^(?:<@[^>\s]+>|@[\w.-]+)[,:]?\s+/;

/** Each mark is looked for once, however many there are. */
function withoutQuote(text: string): string {
  const whole = text.trimEnd();
  const [begins, ends] = [QUOTE_BEGINS.exec(whole), QUOTE_ENDS.exec(whole.slice(-20))];
  return begins && ends && begins.index + begins[0].length <= whole.length - ends[0].length
    ? whole.slice(0, begins.index).replace(/(?<!\n)\n+$/, '')
    : text;
}

/** The person's words with the notes on them, as the web chat would show them. */
export function unwrap(text: string): string {
  const at = text.lastIndexOf(CURRENT);
  const current = at < 0 ? text : text.slice(at + CURRENT.length).trimStart();
  const bare = withoutQuote(current.replace(MESSAGE_ID, '')).replace(THREAD_STARTER, '');
  const inside = bare.replace(ENVELOPE, '');
  return inside === bare ? bare : inside.replace(SENDER, '').replace(MENTION, '');
}
