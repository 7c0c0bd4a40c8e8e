/** The chat service for people and programs without a channel: sending, following, stopping, reading. */
import type { Principal } from '../core/principal.ts';
import type { KeptFile } from '../core/shown.ts';
import type { Message } from '../core/transcript.ts';
import type { AgentEvent, TurnOptions, TurnOutcome } from '../core/turn.ts';
import type { QueueMode } from '../sessions/queue-mode.ts';
import type { RunInfo } from './runs.ts';

/** Turns that people and programs of the gateway's own surface ask for: send, follow, stop, read back. */
export interface ChatService {
  /**
   * Accepts one message durably and starts it. Resolves once it is on disk; `status` says what the id already did:
   * `started`, `in_flight` (known and running), `done` (known and ended: `outcome` is set).
   * Rejects with `AppError('storage')` when it could not be kept and `AppError('unavailable')` while draining.
   */
  send(request: ChatRequest): Promise<ChatReceipt>;
  /**
   * Resolves when the run ends, with undefined after `timeoutMs`; also for runs of an earlier process. Unknown ids:
   * `not_found`.
   */
  wait(runId: string, timeoutMs: number, signal?: AbortSignal): Promise<RunSnapshot | undefined>;
  /** Every event of every run, in order. Returns the unsubscribe function. */
  subscribe(listener: (run: RunInfo, event: AgentEvent) => void): () => void;
  /** Without `runId`: every run of the session and its queue. A `runId` of another session: `invalid`. */
  abort(request: { sessionKey: string; runId?: string }): Promise<{ aborted: boolean; runIds: string[] }>;
  /** Appends an assistant note without a model. Unknown session: `not_found`. */
  inject(request: { sessionKey: string; message: string; label?: string }): Promise<{ messageId: string }>;
  /** The transcript, and behind it the message that is being understood: it is not part of it yet. */
  history(request: { sessionKey: string; limit: number }): Promise<ChatHistory>;
  /**
   * A part of a file people got or sent in the session, and its whole size. `not_found`: it is not kept any more, or
   * never was there.
   */
  file(
    file: { readonly sessionKey: string; readonly id: string },
    part: { readonly offset: number; readonly bytes: number },
  ): Promise<{ readonly data: Uint8Array; readonly size: number }>;
  /** Runs that have not ended, oldest first, with the text streamed so far. */
  active(sessionKey?: string): readonly (RunInfo & { text: string; queued: boolean; progress?: string })[];
  /** What happened to one message, stage by stage, from the journal. */
  timeline(runId: string): Promise<readonly TimelineEntry[]>;
}

/** One message to an agent from the gateway's own surface. */
export interface ChatRequest {
  readonly runId: string;
  /** Any spelling a client may use; made canonical here. */
  readonly sessionKey: string;
  readonly text: string;
  readonly attachments?: readonly {
    readonly mime: string;
    readonly name?: string;
    readonly recorded?: true;
    readonly data: Uint8Array;
  }[];
  readonly principal: Principal;
  readonly senderName?: string;
  readonly options?: TurnOptions;
  /**
   * What happens to this message when its session is busy, in place of the session's own mode. `followup`: a turn of
   * its own, never merged.
   */
  readonly queue?: QueueMode;
  /** False: text that looks like a command is for the model. Default true. */
  readonly commands?: boolean;
}

/** What became of a request that was accepted; `outcome` is there once it is `done`. */
export interface ChatReceipt {
  readonly runId: string;
  readonly sessionKey: string;
  readonly status: 'started' | 'in_flight' | 'done';
  readonly outcome?: TurnOutcome;
}
/** A run that has ended; times are milliseconds since the epoch. */
export interface RunSnapshot extends RunInfo {
  readonly outcome: TurnOutcome;
  readonly startedAt: number;
  readonly endedAt: number;
}
/** A message as people see it. */
export type SeenMessage = Message & { readonly files?: readonly KeptFile[] };

/** A part of a session's transcript, as people see it, oldest first. */
export interface ChatHistory {
  readonly sessionKey: string;
  readonly sessionId?: string;
  readonly messages: readonly (SeenMessage & { readonly id?: string; readonly turnId?: string })[];
  readonly thinkingLevel?: string;
}

/** One thing that happened to a message between its arrival and its end. */
export interface TimelineEntry {
  /** accepted, routed, queued, model, tool, transcript, outbox, delivered, ended … */
  readonly stage: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly ms?: number;
  readonly detail?: string;
  readonly ok?: boolean;
  /** Attempts for a link or an attachment. */
  readonly steps?: readonly {
    readonly what: string;
    readonly outcome: 'success' | 'skipped' | 'failed' | 'blocked';
    readonly reason?: string;
    readonly ms?: number;
    readonly chosen?: boolean;
    readonly reached?: readonly string[];
  }[];
}
