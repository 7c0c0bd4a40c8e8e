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

/** The stored form of an accepted message: everything that is needed to answer it after a crash. */
export interface Accepted {
  readonly message: InboundMessage;
  readonly route: Route;
  /** The requester and their rights; decided at the access gate and stored with the row. */
  readonly authority: Authority;
  readonly options: TurnOptions;
  /** The queue mode for this message if its session is busy; `followup`: a separate turn, never merged. */
  readonly queue?: 'collect' | 'followup' | 'steer' | 'interrupt';
  /** False: the text is never read as a command. */
  readonly commands: boolean;
  /** The transcript of a recording, if the access gate needed it for its decision. */
  readonly transcript?: Note;
  /** The access decision, with every check. */
  readonly access?: readonly AdmissionStep[];
  /** What was said in the group since the last answer, not addressed to the agent. */
  readonly history?: readonly HistoryLine[];
  /** Milliseconds since the last use of the conversation, at the time of arrival. */
  readonly elapsedMs?: number;
  /** Chats of this sender never become the default target of the conversation. */
  readonly guest?: true;
  /** The index of its agent among several that answer the same message, from 0. Absent: one agent answers. */
  readonly together?: number;
  /** The run that must end first, if agents answer a message one after the other. */
  readonly after?: string;
  /** The trigger, if no person wrote it. */
  readonly trigger?: Trigger;
}

export type InboundState = 'accepted' | 'answered' | 'declined' | 'failed';

export interface InboundRow extends Accepted {
  readonly seq: number;
  readonly runId: string;
  readonly state: InboundState;
  readonly turnId?: string;
  /** It joined a running turn. */
  readonly steered: boolean;
  readonly reason?: string;
  readonly acceptedAt: number;
  readonly endedAt?: number;
}

/** The outcome of a message that gets no turn, or has had one. */
export type EndState = Exclude<InboundState, 'accepted'>;

export interface InboundEnd {
  readonly state: EndState;
  readonly reason?: string;
}

export interface Arrival {
  readonly accepted: Accepted;
  readonly runId: string;
  /** No agent will answer it; the row has its end state from the start, so that a crash cannot admit it. */
  readonly refused?: Refusal | undefined;
}

/** `notice`: the reply to the sender, written in the same commit. */
export interface Refusal {
  readonly reason: string;
  readonly notice?: NewOutboxRow | undefined;
}

/** `row`: the existing row of a duplicate. `notice`: the outbox row of the reply to the sender. */
export interface AcceptResult {
  readonly status: 'accepted' | 'duplicate';
  readonly row: InboundRow;
  readonly notice?: number;
}

/** A turn that starts, with its messages. It has the run id of the first one. */
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
  /** The ids from the platform, once it accepted the message. */
  readonly messageIds?: readonly string[];
}

/** The end of a turn, written in one transaction with its replies (P6) and the new entry of the session. */
export interface TurnEnd {
  readonly turnId: string;
  readonly outcome: TurnOutcome;
  /** The end state of every message of the turn. */
  readonly inbound: InboundEnd;
  readonly replies: readonly NewOutboxRow[];
}

/** The outbox rows of its replies, in order, and every message of the turn, steered ones included. */
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

/** The state of a turn that an earlier instance of the gateway left. */
export interface StepLogRows {
  /** By the index of the model call. */
  readonly models: ReadonlyMap<number, AssistantMessage>;
  /** By call id. `unknown`: started, without a recorded end. */
  readonly tools: ReadonlyMap<string, ToolResultMessage | 'unknown'>;
  /** By the index of the model call that followed them. */
  readonly steers: ReadonlyMap<number, readonly UserMessage[]>;
}

/** Whether a turn starts for the first time; `poisoned`: the process was killed during it twice in a row. */
export type AttemptKind = 'first' | 'again' | 'poisoned';

/** The entry of a session that is newer than the file. `entry`: its JSON; null: deleted. `version` only increases. */
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
  /** The attempts for a link or an attachment. */
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
