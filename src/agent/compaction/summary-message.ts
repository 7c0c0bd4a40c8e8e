/** How a summary stands in the conversation it replaces a part of. */
import type { UserMessage } from '../../core/transcript.ts';

/** Comes first, before the messages that stayed; `timestamp` in milliseconds since the epoch. */
export const summaryMessage = (summary: string, timestamp: number): UserMessage => ({
  role: 'user', timestamp,
  content: [{ type: 'text', text: `[The conversation so far was summarised to save room. This is what you need to know of it:]\n\n${summary}` }],
});
