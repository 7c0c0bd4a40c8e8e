/** What becomes of an answer no person asked for: said, said otherwise, or not at all. One function an origin; absent: as for a message. */
import type { MessageSent } from '../../core/message-tool.ts';
import type { Message } from '../../core/transcript.ts';
import type { Turn, TurnOutcome } from '../../core/turn.ts';
import type { SessionEntry, SessionPatch } from '../../sessions/entry.ts';

export interface Verdict {
  /** Nothing goes to the chat. */
  readonly silent?: true;
  /** Said in place of the answer. */
  readonly text?: string;
  /** What the session remembers besides. */
  readonly patch?: SessionPatch;
  /** Later turns need not know of it: its lines stay in the transcript and out of the conversation, and the session counts as untouched. */
  readonly forget?: true;
}

export interface Judged {
  readonly entry: SessionEntry;
  /** Everything said and done in the turn, in order. */
  readonly messages: readonly Message[];
  /** What the message tool sent meanwhile. */
  readonly sent: readonly MessageSent[];
  readonly now: number;
}

/** Pure; asked once, before the end of the turn is written. */
export type Judge = (turn: Turn, outcome: TurnOutcome, judged: Judged) => Verdict;
