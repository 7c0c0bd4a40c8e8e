/** A channel's message as people know it: without what the agent was told around it. Pure. */

const HISTORY = /^\[Chat messages since your last reply - for context\]\n[\s\S]*?\n\n\[Current message - respond to this\]\n/;
const THREAD = /^\[Thread started by [^\n]*\]\n[\s\S]*?\n\[\/Thread\]\n\n/;
const ENVELOPE = /^\[[^\]\n]+ id:[^\]\n]+\] /;
const MESSAGE_ID = /\n\n\[message_id: [^\]\n]*\]$/;
const QUOTE = /\n\n\[(Replying to|Quoting) [^\]\n]*\]\n[\s\S]*\n\[\/(?:Replying|Quoting)\]$/;

/** In a group the sender's name stays. Nothing that was quoted can look like these marks; text without them comes back as it is. */
export const bareText = (text: string): string => [HISTORY, THREAD, ENVELOPE, MESSAGE_ID, QUOTE].reduce((rest, mark) => rest.replace(mark, ''), text);
