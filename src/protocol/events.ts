/** What the gateway says without being asked: each event, who may hear it, and what it carries. */
import type { Requirement } from '../core/principal.ts';
import type { KeptFile, Shown } from '../core/shown.ts';

/** Event → what a connection must hold to receive it. Advertised in `hello-ok`. */
export const EVENTS = {
  'connect.challenge': 'any',
  tick: 'any',
  shutdown: 'any',
  chat: 'operator.read',
  agent: 'operator.read',
  presence: 'operator.read',
  'presence.changed': 'operator.read',
  health: 'operator.read',
  'session.message': 'operator.read',
  'sessions.changed': 'operator.read',
  'exec.approval.requested': 'operator.approvals',
  'exec.approval.resolved': 'operator.approvals',
  'process.changed': 'operator.read',
  'channel.pair.requested': 'operator.pairing',
  'channel.pair.resolved': 'operator.pairing',
} as const satisfies Record<string, Requirement>;

export type EventName = keyof typeof EVENTS;

interface ChatEventHead {
  readonly runId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly seq: number;
}

/** An assistant message as chat events carry it. */
export interface ChatMessage {
  readonly role: 'assistant';
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly timestamp: number;
  /** What people got with it; `chat.file` has the bytes. */
  readonly files?: readonly KeptFile[];
  /** Of a final one: what a tool had given people in this chat before it, in order. */
  readonly told?: readonly Shown[];
}

/**
 * `delta` carries the whole text so far in `message` and the new part in `deltaText`; with `replace` that part is the
 * whole text, because a new message of the turn began. `final` is authoritative; without a message nothing was said,
 * and `stopReason` tells why:
 * `merged`, the answer came with another message of the session, or `silent`. A message without words or files says
 * that what was streamed is not shown: a tool had said it.
 */
export type ChatEvent = ChatEventHead &
  (
    | { readonly state: 'delta'; readonly message: ChatMessage; readonly deltaText: string; readonly replace?: boolean }
    | {
        readonly state: 'final';
        readonly message?: ChatMessage;
        readonly usage?: unknown;
        readonly stopReason?: string;
      }
    | { readonly state: 'aborted'; readonly message?: ChatMessage; readonly stopReason?: string }
    | {
        readonly state: 'error';
        readonly message?: ChatMessage;
        readonly errorMessage: string;
        readonly errorKind: ChatErrorKind;
      }
  );
export type ChatErrorKind = 'timeout' | 'rate_limit' | 'context_length' | 'unknown';

export type AgentStream = 'lifecycle' | 'assistant' | 'thinking' | 'tool' | 'compaction' | 'notice' | 'understanding';

/** `seq` counts per run. `data.sessionKey` tells the session. */
export interface AgentStreamEvent {
  readonly runId: string;
  readonly seq: number;
  readonly stream: AgentStream;
  readonly ts: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface SessionMessageEvent {
  readonly sessionKey: string;
  readonly agentId: string;
  readonly runId?: string;
  readonly messageId?: string;
  readonly message: unknown;
}

export interface SessionsChangedEvent {
  readonly sessionKey: string;
  readonly reason: 'turn' | 'message' | 'patch' | 'reset' | 'delete' | 'compact';
  readonly ts: number;
}

/** Milliseconds; `restartExpectedMs` when the gateway comes back by itself. */
export interface ShutdownEvent {
  readonly reason: string;
  readonly restartExpectedMs?: number;
}
