/** Removes the context that was added for the agent from a channel message. Pure. */

const HISTORY =
  /^\[Chat messages since your last reply - for context\]\n[\s\S]*?\n\n\[Current message - respond to this\]\n/;
const THREAD = /^\[Thread started by [^\n]*\]\n[\s\S]*?\n\[\/Thread\]\n\n/;
const ENVELOPE = /^\[(?=[^\]\n]+ id:[^\]\n])[^\]\n]+\] /;
const MESSAGE_ID = /\n\n\[message_id: [^\]\n]*\]$/;
const QUOTE_BEGINS = /\n\n\[(?:Replying to|Quoting) [^\]\n]*\]\n/;
const QUOTE_ENDS = /\n\[\/(?:Replying|Quoting)\]$/;

/**
 * In a group the sender's name stays. Nothing that was quoted can look like these marks; text without them comes back
 * as it is.
 */
export const bareText = (text: string): string =>
  withoutQuote([HISTORY, THREAD, ENVELOPE, MESSAGE_ID].reduce((rest, mark) => rest.replace(mark, ''), text));

/** From the first marker to the last; each is searched once, however many there are. */
function withoutQuote(text: string): string {
  const [begins, ends] = [QUOTE_BEGINS.exec(text), QUOTE_ENDS.exec(text.slice(-20))];
  return begins && ends && begins.index + begins[0].length <= text.length - ends[0].length
    ? text.slice(0, begins.index)
    : text;
}
