/**
 * Decides whether an unsolicited answer is sent, changed or dropped: one policy for each origin of a turn. Without a
 * policy the answer is sent like the answer to a message.
 */
import type { MessageSent } from '../core/message-tool.ts';
import type { Message } from '../core/transcript.ts';
import type { TurnOrigin } from '../core/trigger.ts';
import type { Turn, TurnOutcome } from '../core/turn.ts';
import type { SessionEntry, SessionPatch } from '../sessions/entry.ts';

/** What becomes of the answer of a turn that no person asked for; nothing set: it is said as it is. */
export interface ReplyDecision {
  /** Nothing goes to the chat. */
  readonly silent?: true;
  /** Said in place of the answer. */
  readonly text?: string;
  /** What the session remembers besides. */
  readonly patch?: SessionPatch;
  /**
   * Later turns need not know of it: its lines stay in the transcript and out of the conversation, and the session
   * counts as untouched.
   */
  readonly forget?: true;
}

/** What a reply policy looks at besides the answer itself. */
export interface AnswerFacts {
  readonly entry: SessionEntry;
  /** Everything said and done in the turn, in order. */
  readonly messages: readonly Message[];
  /** What the message tool sent meanwhile. */
  readonly sent: readonly MessageSent[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Asked once, before the end of the turn is written. */
export type ReplyPolicy = (
  turn: Turn,
  outcome: TurnOutcome,
  answer: AnswerFacts,
) => ReplyDecision | Promise<ReplyDecision>;

/** At most one policy for each origin of turns. */
export type ReplyPolicies = Partial<Readonly<Record<TurnOrigin, ReplyPolicy>>>;

/** One policy for all origins. */
export const joinPolicies =
  (policies: ReplyPolicies): ReplyPolicy =>
  (turn, outcome, answer) =>
    policies[turn.origin]?.(turn, outcome, answer) ?? {};
