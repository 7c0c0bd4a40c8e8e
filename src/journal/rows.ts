/** The rows of the journal as the rest of the product sees them. */
import type { AdmissionStep } from '../core/admission.ts';
import type { Authority } from '../core/authority.ts';
import type { Trigger } from '../core/trigger.ts';
import type { ChatAddress, HistoryLine, InboundMessage } from '../core/message.ts';
import type { ReplyPayload } from '../core/reply.ts';
import type { Route } from '../core/route.ts';
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../core/transcript.ts';
import type { TurnOptions, TurnOutcome } from '../core/turn.ts';
import type { Note } from '../core/understanding.ts';

/** What is kept of an accepted message: all it takes to answer it after a crash. */
export interface Accepted {
  readonly message: InboundMessage;
  readonly route: Route;
  /** Who asks, and with which rights; decided at the access gate, kept with the row. */
  readonly authority: Authority;
  readonly options: TurnOptions;
  /** Wished for this message when its session is busy; `followup`: a turn of its own, never merged. */
  readonly queue?: 'collect' | 'followup' | 'steer' | 'interrupt';
  /** False: never read as a command. */
  readonly commands: boolean;
  /** What a recording says, when that had to be known to let it in. */
  readonly transcript?: Note;
  /** Every look that let it in or turned it away. */
  readonly access?: readonly AdmissionStep[];
  /** What was said in the group since the last answer, without being meant for the agent. */
  readonly history?: readonly HistoryLine[];
  /** Milliseconds since the conversation was last used, when it came. */
  readonly elapsedMs?: number;
  /** Their chat never becomes the one the conversation writes to by itself. */
  readonly guest?: true;
  /** The place of its agent among several that answer the same message, from 0. Absent: it answers alone. */
  readonly together?: number;
  /** The run that goes first: agents that answer one message one after the other. */
  readonly after?: string;
  /** What it is for when nobody wrote it. */
  readonly trigger?: Trigger;
}

export type InboundState = 'accepted' | 'answered' | 'declined' | 'failed';

export interface InboundRow extends Accepted {
  readonly seq: number;
  readonly runId: string;
  readonly state: InboundState;
  readonly turnId?: string;
  /** It joined a turn that ran already. */
  readonly steered: boolean;
  readonly reason?: string;
  readonly acceptedAt: number;
  readonly endedAt?: number;
}

/** What became of a message that gets no turn, or has had one. */
export type EndState = Exclude<InboundState, 'accepted'>;

export interface InboundEnd {
  readonly state: EndState;
  readonly reason?: string;
}

export interface Arrival {
  readonly accepted: Accepted;
  readonly runId: string;
  /** Nobody will answer it; the row then has its end from the beginning, so that no crash lets it through. */
  readonly refused?: Refusal | undefined;
}

/** `notice`: what its sender is told, written in the same commit. */
export interface Refusal {
  readonly reason: string;
  readonly notice?: NewOutboxRow | undefined;
}

/** `row`: for a duplicate, the one that was there. `notice`: the outbox row of what its sender is told. */
export interface AcceptResult {
  readonly status: 'accepted' | 'duplicate';
  readonly row: InboundRow;
  readonly notice?: number;
}

/** A turn that begins, with the messages it answers. It has the run id of the first of them. */
export interface NewTurn {
  readonly id: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly seqs: readonly number[];
}

export interface TurnRow {
  readonly id: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly sessionId?: string;
  readonly state: 'running' | 'ended';
  readonly outcome?: TurnOutcome;
  readonly startedAt: number;
  readonly endedAt?: number;
}

export interface NewOutboxRow {
  readonly token: string;
  readonly runId: string;
  readonly sessionKey: string;
  readonly address: ChatAddress;
  readonly payload: ReplyPayload;
}

export interface OutboxRow extends NewOutboxRow {
  readonly id: number;
  readonly state: 'pending' | 'sending' | 'uncertain' | 'sent' | 'failed';
  readonly attempts: number;
  readonly nextAt: number;
  readonly error?: string;
  readonly createdAt: number;
  readonly sentAt?: number;
  /** The platform's ids, once it took the message. */
  readonly messageIds?: readonly string[];
}

/** How a turn ends, written in one transaction with its replies (P6) and the session's new entry. */
export interface TurnEnd {
  readonly turnId: string;
  readonly outcome: TurnOutcome;
  /** The end of every message the turn answered. */
  readonly inbound: InboundEnd;
  readonly replies: readonly NewOutboxRow[];
}

/** The outbox rows of its replies, in order, and every message the turn answered, steered ones too. */
export interface EndedTurn {
  readonly outbox: readonly number[];
  readonly messages: readonly InboundRow[];
}

/** A tool call of a model's answer, as it starts. */
export interface StartedCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly readOnly: boolean;
}

/** What an earlier run of the gateway left of a turn. */
export interface StepLogRows {
  /** By the number of the model call, from 0. */
  readonly models: ReadonlyMap<number, AssistantMessage>;
  /** By call id. `unknown`: started, end never written. */
  readonly tools: ReadonlyMap<string, ToolResultMessage | 'unknown'>;
  /** By the number of the model call they came before. */
  readonly steers: ReadonlyMap<number, readonly UserMessage[]>;
}

/** Whether a turn is begun for the first time; `poisoned`: the process died over it twice in a row. */
export type AttemptKind = 'first' | 'again' | 'poisoned';

/** A session's entry that is newer than the file. `entry`: its JSON; null: deleted. `version` only grows. */
export interface SessionRedo {
  readonly agentId: string;
  readonly key: string;
  readonly entry: string | null;
  readonly version: number;
}

/** One stage of a message's timeline; times in milliseconds. */
export interface Stage {
  readonly stage: string;
  readonly at: number;
  readonly ms?: number;
  readonly detail?: string;
  readonly ok?: boolean;
  /** Attempts for a link or an attachment. */
  readonly steps?: readonly StageStep[];
}

export interface StageStep {
  readonly what: string;
  readonly outcome: 'success' | 'skipped' | 'failed' | 'blocked';
  readonly reason?: string;
  readonly ms?: number;
  readonly chosen?: boolean;
  readonly reached?: readonly string[];
}
