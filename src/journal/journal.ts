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
  /** What a feature does with its tables here. It gives them in its `tables`; others are `unsupported`. */
  tables<T>(of: JournalTables<T>): T;
  /** The timeline of one message, oldest stage first; undefined when it never came, or is forgotten. */
  timeline(runId: string): Promise<readonly Stage[] | undefined>;
  /**
   * Soft: forgets what ended more than `keepMs` ago, at most `limit` (100) messages, sends and rows of each feature a
   * call; 0: nothing old is left. Never what has no end, what is not in its transcript yet, or what a feature holds.
   */
  prune(keepMs: number, limit?: number): Promise<number>;
  /** Looks whether what it writes to is still there. Never rejects. */
  health(): Promise<JournalHealth>;
  /** How long its commits and syncs took in the last hour. */
  pace(): DiskPace;
  /**
   * Whether writes succeed. After a failure one is tried, for an idle gateway would never find out that the disk has
   * room again. Never rejects.
   */
  writable(): Promise<boolean>;
  /** A whole copy in a file that is not there yet, while all goes on; every write that was resolved is in it. */
  copy(to: string): Promise<void>;
  /** Writes what it was asked to, then refuses. */
  close(): Promise<void>;
}

export interface JournalHealth {
  /** Why writes are refused now. */
  readonly failure?: AppError | undefined;
  /** What is missing since its files vanished under the running gateway, in words. */
  readonly loss?: string | undefined;
}

/** Accepted messages: taken in once (P1, P2), in order (P3), to exactly one end (P4). */
export interface InboundJournal {
  /** `acceptAll` of one. */
  accept(accepted: Accepted, runId: string, refused?: Refusal): Promise<AcceptResult>;
  /**
   * Synced, all in one commit. The arrival tickets are taken when it is called. A message that came before on this
   * channel and account in this version, or under this run id, is a `duplicate` and changes nothing.
   */
  acceptAll(arrivals: readonly Arrival[]): Promise<readonly AcceptResult[]>;
  /** The newest version of a message; undefined when it never came. */
  latest(message: Pick<InboundMessage, 'address' | 'id' | 'key'>): Promise<InboundRow | undefined>;
  find(runId: string): Promise<InboundRow | undefined>;
  /** The newest first; `refusedOnly`: those nobody was to answer. */
  recent(filter: {
    readonly channel?: string | undefined;
    readonly refusedOnly?: boolean | undefined;
    readonly limit: number;
  }): Promise<readonly InboundRow[]>;
  /** Rows without an end, in order of arrival. */
  open(): Promise<readonly InboundRow[]>;
  /** What a turn answers, steered ones too, in order of arrival. */
  ofTurn(turnId: string): Promise<readonly InboundRow[]>;
  /** How many rows without an end were accepted before `before`. */
  overdue(before: number): Promise<number>;
  /** Synced: ends messages without a turn and without a reply of their own. One that has an end keeps it. */
  end(seqs: readonly number[], end: InboundEnd): Promise<void>;
}

/** What turns have done so far, so that a crash never does it twice (P5). */
export interface TurnJournal {
  /** Soft: claims the messages a turn answers. Lost, they are claimed again. A turn that is known stays as it is. */
  begin(turn: NewTurn): Promise<void>;
  /** Soft: a model is asked, `index` times before it in this turn. `name`: `provider/model`. */
  modelStarted(turnId: string, index: number, name: string): Promise<void>;
  /** The model's finished answer with the start of the tools it calls; synced when there are any, soft otherwise. */
  modelFinished(turnId: string, index: number, message: AssistantMessage, tools: readonly StartedCall[]): Promise<void>;
  /** Synced. */
  toolFinished(turnId: string, result: ToolResultMessage): Promise<void>;
  /** Synced: messages steered in before model call `index`; their rows belong to the turn from now on. */
  steered(turnId: string, index: number, messages: readonly UserMessage[], seqs: readonly number[]): Promise<void>;
  /**
   * Soft: what was refused in this run, or took more than its own conversation. For the timeline only: the same is
   * kept once, 32 of a run, and nothing of a run nobody knows.
   */
  accessChecked(runId: string, check: RecordedCheck): Promise<void>;
  /** Everything that was written of the turn. */
  recall(turnId: string): Promise<StepLogRows>;
  /** Synced, one commit: the end of a turn and of all its messages, its replies, and the session's entry. */
  end(end: TurnEnd, redo?: SessionRedo): Promise<EndedTurn>;
  /**
   * Synced, one commit: ends messages that wait as declined, and with them each turn of an earlier run of the gateway
   * that has no other message to begin with. Answers every row that belongs to what was ended.
   */
  stop(
    seqs: readonly number[],
    how: { readonly reason: string; readonly outcome: TurnOutcome },
  ): Promise<readonly InboundRow[]>;
  find(id: string): Promise<TurnRow | undefined>;
  /** Turns whose transcript lines may not be on disk: running ones and ended ones that were never settled. */
  unsettled(): Promise<readonly TurnRow[]>;
  /** Soft: the transcript lines of these ended turns are on disk. */
  settle(ids: readonly string[]): Promise<void>;
}

/** How often a turn was begun again after a death, so that what kills the process is not tried for ever. */
export interface AttemptJournal {
  /**
   * Before the turn `id` is worked on; by one caller at a time for each. `resumed`: an earlier run of the gateway had
   * begun it; `marks`: nothing else says yet that it was begun. A second try is on disk before it begins. In the run
   * that began it, it may be begun as often as anybody likes.
   */
  begin(id: string, how: { readonly resumed: boolean; readonly marks: boolean }): Promise<AttemptKind>;
  /** Soft: the gateway stops in good order; this run does not count, and neither do those before it. */
  spare(id: string): Promise<void>;
}

/**
 * Replies on their way out (P6). A token is written once: the row that has it is answered. A new row is `pending`, or
 * `sending` when the journal was told that it goes out as soon as it is on disk.
 */
export interface OutboxJournal {
  /** Synced, one commit: replies without a turn, with the end of the messages they answer. The ids, in order. */
  post(
    rows: readonly NewOutboxRow[],
    ends: readonly ({ readonly seq: number } & InboundEnd)[],
  ): Promise<readonly number[]>;
  get(id: number): Promise<OutboxRow | undefined>;
  /**
   * For whoever sends it. `begun`, for the first to ask: the row was written as `sending` by this run of the gateway
   * and nothing was sent yet; to everybody else a row that is `sending` has an unknown outcome.
   */
  take(id: number): Promise<{ readonly row: OutboxRow; readonly begun: boolean } | undefined>;
  /** The row a preview was sent with, for the answer that takes its place. */
  byToken(token: string): Promise<OutboxRow | undefined>;
  /** Rows without an end, oldest first. */
  open(): Promise<readonly OutboxRow[]>;
  /** How many rows are without an end. */
  pending(): Promise<number>;
  /** Oldest first. */
  ofRun(runId: string): Promise<readonly OutboxRow[]>;
  /** Resolves when what could be read before would outlast a power cut. */
  synced(): Promise<void>;
  /** Synced: a send begins. After a crash its outcome is unknown, and it is never blindly repeated. */
  sending(id: number): Promise<void>;
  /** Soft. `messageIds`: the platform's. */
  sent(id: number, messageIds: readonly string[]): Promise<void>;
  /** Soft. */
  retryAt(id: number, state: 'pending' | 'uncertain', nextAt: number, error: string): Promise<void>;
  /** Synced. */
  failed(id: number, error: string): Promise<void>;
  /** Synced: gives up what has waited since before `before`; how many those were. */
  expire(before: number, error: string): Promise<number>;
}

/** What understanding made of a message, kept so that a crash neither asks twice nor tells twice. */
export interface UnderstandingJournal {
  find(runId: string): Promise<Understanding | undefined>;
  /** Of the newest message of a session that came with files. */
  latest(sessionKey: string): Promise<Understanding | undefined>;
  /**
   * One commit with what the person is told of it, whose outbox ids are answered. Synced only when there is such:
   * lost, it is made again.
   */
  save(
    runId: string,
    understanding: Understanding,
    startedAt: number,
    replies: readonly NewOutboxRow[],
  ): Promise<readonly number[]>;
}

/** Session entries that are newer than `sessions.json`, so that its writes may be coalesced and nothing is lost. */
export interface RedoJournal {
  /** An older version never replaces a newer one. */
  record(redo: SessionRedo, options: { readonly sync: boolean }): Promise<void>;
  /** Resolves when what was recorded before would outlast a power cut. */
  synced(): Promise<void>;
  /** What a crash left over, for one agent, in the order of versions. */
  load(agentId: string): Promise<readonly SessionRedo[]>;
  /** 0: there is none. */
  topVersion(): Promise<number>;
  /** Soft: drops what `sessions.json` now holds. */
  clear(agentId: string, upTo: number): Promise<void>;
}
