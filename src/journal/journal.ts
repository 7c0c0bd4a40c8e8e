/**
 * The journal: what makes "no silence, no loss, no double" true. Accepted messages, the steps of turns, replies on
 * their way out, and what features keep with them. `create-journal.ts` opens it over SQLite.
 *
 * For every method here:
 * - It answers with a promise and may take its time. Nothing depends on two calls being made in the same tick; what
 *   has to happen together is one method, and that happens whole or not at all.
 * - A read sees every write that was resolved before it was called, and maybe later ones.
 * - Writes happen in the order they were called in. A *synced* write resolves when it would outlast a power cut; a
 *   *soft* one when it would outlast the process.
 * - Rejects with `AppError('storage')` when the disk refuses, and `AppError('unavailable')` when it is closed. A write
 *   that was refused left nothing, but where only its sync failed: then it stands and may be gone after a power cut.
 * - What is handed over and answered is plain data of its own: changing it changes no row.
 * - Times are milliseconds since the epoch.
 */
import type { AppError } from '../core/errors.ts';
import type { InboundMessage } from '../core/message.ts';
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { Understanding } from '../core/understanding.ts';
import type { RecordedCheck } from '../core/access-check.ts';
import type {
  Accepted,
  AcceptResult,
  Arrival,
  EndedTurn,
  InboundEnd,
  InboundRow,
  NewOutboxRow,
  NewTurn,
  OutboxRow,
  Refusal,
  SessionRedo,
  Stage,
  StartedCall,
  StepLogRows,
  AttemptKind,
  TurnEnd,
  TurnRow,
} from './rows.ts';
import type { DiskPace } from '../platform/sqlite.ts';
import type { JournalTables } from './tables.ts';

export interface Journal {
  readonly inbound: InboundJournal;
  readonly turns: TurnJournal;
  readonly tries: AttemptJournal;
  readonly outbox: OutboxJournal;
  readonly understanding: UnderstandingJournal;
  readonly redo: RedoJournal;
  /** The functions of a feature's tables. A feature must declare them in its `tables`; others are `unsupported`. */
  tables<T>(of: JournalTables<T>): T;
  /** The timeline of one message, oldest stage first; undefined if the message is unknown or was deleted. */
  timeline(runId: string): Promise<readonly Stage[] | undefined>;
  /**
   * Soft: deletes what ended more than `keepMs` ago, at most `limit` (100) messages, sends and rows of each feature per
   * call; 0: nothing old is left. Never deletes what has no end state, what is not in its transcript yet, or what a
   * feature still needs.
   */
  prune(keepMs: number, limit?: number): Promise<number>;
  /** Checks whether its files still exist. Never rejects. */
  health(): Promise<JournalHealth>;
  /** The duration of its commits and syncs in the last hour. */
  pace(): DiskPace;
  /**
   * Whether writes succeed. After a failure it tries one, because an idle gateway would not notice that the disk has
   * space again. Never rejects.
   */
  writable(): Promise<boolean>;
  /** Writes a complete copy to a new file while the journal is in use; it contains every write that was resolved. */
  copy(to: string): Promise<void>;
  /** Completes the pending writes, then rejects further ones. */
  close(): Promise<void>;
}

export interface JournalHealth {
  /** The reason why writes are rejected now. */
  readonly failure?: AppError | undefined;
  /** What is missing since its files disappeared while the gateway was running, as text. */
  readonly loss?: string | undefined;
}

/** Accepted messages: each accepted once (P1, P2), in order (P3), with exactly one end state (P4). */
export interface InboundJournal {
  /** `acceptAll` for one message. */
  accept(accepted: Accepted, runId: string, refused?: Refusal): Promise<AcceptResult>;
  /**
   * Synced, all in one commit. The arrival tickets are assigned when it is called. A message that was already accepted
   * on this channel and account in this version, or with this run id, is a `duplicate` and changes nothing.
   */
  acceptAll(arrivals: readonly Arrival[]): Promise<readonly AcceptResult[]>;
  /** The newest version of a message; undefined if it is unknown. */
  latest(message: Pick<InboundMessage, 'address' | 'id' | 'key'>): Promise<InboundRow | undefined>;
  find(runId: string): Promise<InboundRow | undefined>;
  /** Newest first; `refusedOnly`: those that no agent was to answer. */
  recent(filter: {
    readonly channel?: string | undefined;
    readonly refusedOnly?: boolean | undefined;
    readonly limit: number;
  }): Promise<readonly InboundRow[]>;
  /** Rows without an end state, in order of arrival. */
  open(): Promise<readonly InboundRow[]>;
  /** The messages of a turn, steered ones included, in order of arrival. */
  ofTurn(turnId: string): Promise<readonly InboundRow[]>;
  /** How many rows without an end state were accepted before `before`. */
  overdue(before: number): Promise<number>;
  /** Synced: ends messages without a turn and without a reply. A message that already has an end state keeps it. */
  end(seqs: readonly number[], end: InboundEnd): Promise<void>;
}

/** The recorded steps of turns, so that a crash never repeats one (P5). */
export interface TurnJournal {
  /**
   * Soft: assigns the messages to the turn. If the write is lost, they are assigned again. A known turn is not changed.
   */
  begin(turn: NewTurn): Promise<void>;
  /** Soft: a model call starts; `index` model calls of this turn came before it. `name`: `provider/model`. */
  modelStarted(turnId: string, index: number, name: string): Promise<void>;
  /** The complete answer of the model with the starts of its tool calls; synced if there are any, otherwise soft. */
  modelFinished(turnId: string, index: number, message: AssistantMessage, tools: readonly StartedCall[]): Promise<void>;
  /** Synced. */
  toolFinished(turnId: string, result: ToolResultMessage): Promise<void>;
  /** Synced: messages were steered in before model call `index`; their rows belong to the turn from now on. */
  steered(turnId: string, index: number, messages: readonly UserMessage[], seqs: readonly number[]): Promise<void>;
  /**
   * Soft: access decisions of this run that denied something or went beyond its own conversation. Used only by the
   * timeline: each decision is stored once, at most 32 per run, and none for an unknown run.
   */
  accessChecked(runId: string, check: RecordedCheck): Promise<void>;
  /** Everything that was recorded of the turn. */
  recall(turnId: string): Promise<StepLogRows>;
  /** Synced, one commit: the end of a turn and of all its messages, its replies, and the entry of the session. */
  end(end: TurnEnd, redo?: SessionRedo): Promise<EndedTurn>;
  /**
   * Synced, one commit: ends waiting messages as declined, and with them each turn of an earlier instance of the
   * gateway that has no other message to start from. Returns every row that belonged to what was ended.
   */
  stop(
    seqs: readonly number[],
    how: { readonly reason: string; readonly outcome: TurnOutcome },
  ): Promise<readonly InboundRow[]>;
  find(id: string): Promise<TurnRow | undefined>;
  /** Turns whose transcript lines may not be on disk: running ones, and ended ones that were never settled. */
  unsettled(): Promise<readonly TurnRow[]>;
  /** Soft: the transcript lines of these ended turns are on disk. */
  settle(ids: readonly string[]): Promise<void>;
}

/**
 * How often a turn was restarted after the process was killed, so that a turn that kills the process is not retried
 * forever.
 */
export interface AttemptJournal {
  /**
   * Called before the turn `id` is processed, by one caller at a time. `resumed`: an earlier instance of the gateway
   * had started it; `marks`: no other row says so yet. A second try is on disk before it begins. Within one instance a
   * turn may be started any number of times.
   */
  begin(id: string, how: { readonly resumed: boolean; readonly marks: boolean }): Promise<AttemptKind>;
  /** Soft: the gateway stops in an orderly way, so this instance and earlier ones do not count as crashes. */
  spare(id: string): Promise<void>;
}

/**
 * Replies that are to be sent (P6). Each token is inserted once; a repeated one returns the existing row. A new row is
 * `pending`, or `sending` if it is sent as soon as it is on disk.
 */
export interface OutboxJournal {
  /**
   * Synced, one commit: replies without a turn, with the end of the messages they answer. Returns the ids, in order.
   */
  post(
    rows: readonly NewOutboxRow[],
    ends: readonly ({ readonly seq: number } & InboundEnd)[],
  ): Promise<readonly number[]>;
  get(id: number): Promise<OutboxRow | undefined>;
  /**
   * The row to send. `begun`, only for the first caller: this instance of the gateway wrote the row as `sending`, and
   * nothing was sent yet. For every other caller, the outcome of a row in state `sending` is unknown.
   */
  take(id: number): Promise<{ readonly row: OutboxRow; readonly begun: boolean } | undefined>;
  /** The row with which a preview was sent, for the answer that replaces it. */
  byToken(token: string): Promise<OutboxRow | undefined>;
  /** Rows without an end state, oldest first. */
  open(): Promise<readonly OutboxRow[]>;
  /** The number of rows without an end state. */
  pending(): Promise<number>;
  /** Oldest first. */
  ofRun(runId: string): Promise<readonly OutboxRow[]>;
  /** Resolves once everything that could be read before survives a power cut. */
  synced(): Promise<void>;
  /** Synced: a send begins. After a crash its outcome is unknown, and it is never repeated without a check. */
  sending(id: number): Promise<void>;
  /** Soft. `messageIds`: ids assigned by the platform. */
  sent(id: number, messageIds: readonly string[]): Promise<void>;
  /** Soft. */
  retryAt(id: number, state: 'pending' | 'uncertain', nextAt: number, error: string): Promise<void>;
  /** Synced. */
  failed(id: number, error: string): Promise<void>;
  /** Synced: gives up replies that have waited since before `before`; returns their number. */
  expire(before: number, error: string): Promise<number>;
}

/** Results of understanding, stored so that a crash neither repeats a request nor notifies the person twice. */
export interface UnderstandingJournal {
  find(runId: string): Promise<Understanding | undefined>;
  /** The result for the newest message of a session that had files. */
  latest(sessionKey: string): Promise<Understanding | undefined>;
  /**
   * One commit with the notices for the person, whose outbox ids are returned. Synced only if there are any: a lost
   * result is computed again.
   */
  save(
    runId: string,
    understanding: Understanding,
    startedAt: number,
    replies: readonly NewOutboxRow[],
  ): Promise<readonly number[]>;
}

/** Session entries that are newer than `sessions.json`, so that its writes can be merged without a loss. */
export interface RedoJournal {
  /** An older version never replaces a newer one. */
  record(redo: SessionRedo, options: { readonly sync: boolean }): Promise<void>;
  /** Resolves once what was recorded before survives a power cut. */
  synced(): Promise<void>;
  /** The entries left by a crash, for one agent, in the order of their versions. */
  load(agentId: string): Promise<readonly SessionRedo[]>;
  /** 0: there are none. */
  topVersion(): Promise<number>;
  /** Soft: deletes the entries that `sessions.json` now contains. */
  clear(agentId: string, upTo: number): Promise<void>;
}
