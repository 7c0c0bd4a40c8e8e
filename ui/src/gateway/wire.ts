/**
 * The shapes of the Gateway protocol (version 4) that this page reads and writes; fields it does not use are left out.
 */

import type { WireError } from '../../../src/protocol/errors.ts';
import type { EventFrame, RequestFrame, ResponseFrame } from '../../../src/protocol/frames.ts';

export type { EventFrame, RequestFrame, ResponseFrame, WireError };
export type Frame = ResponseFrame | EventFrame;

export interface Hello {
  readonly protocol: number;
  readonly server: { readonly version: string; readonly connId: string };
  readonly features: { readonly methods: readonly string[]; readonly events: readonly string[] };
  readonly snapshot: {
    readonly presence: readonly PresenceEntry[];
    readonly health: Readonly<Record<string, unknown>>;
    readonly uptimeMs: number;
    readonly configPath?: string;
    readonly stateDir?: string;
    readonly sessionDefaults?: {
      readonly defaultAgentId: string;
      readonly mainKey: string;
      readonly mainSessionKey: string;
    };
  };
  readonly auth?: { readonly deviceToken?: string; readonly role?: string; readonly scopes?: readonly string[] };
  readonly policy: {
    readonly maxPayload: number;
    readonly tickIntervalMs: number;
    readonly attachments?: { readonly maxBytes: number };
  };
}

export interface Understands {
  readonly kind: 'link' | 'image' | 'audio' | 'video' | 'file';
  readonly on: boolean;
  readonly by: readonly string[];
  readonly shown?: boolean;
}
export interface PresenceEntry {
  readonly ts: number;
  readonly host?: string;
  readonly version?: string;
  readonly platform?: string;
  readonly mode?: string;
  readonly reason?: string;
  readonly deviceId?: string;
  readonly instanceId?: string;
  readonly text?: string;
  readonly onlineSince?: number;
}

export interface SessionRow {
  readonly key: string;
  readonly sessionId?: string;
  readonly kind?: string;
  readonly label?: string;
  readonly displayName?: string;
  readonly subject?: string;
  readonly groupChannel?: string;
  readonly derivedTitle?: string;
  readonly lastMessagePreview?: string;
  readonly channel?: string;
  readonly lastChannel?: string;
  readonly updatedAt?: number | null;
  readonly model?: string;
  readonly modelProvider?: string;
  readonly totalTokens?: number;
  readonly contextTokens?: number;
  readonly status?: string;
  readonly isMain?: boolean;
}

export type WireBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly arguments?: unknown };

export interface WireUsage {
  readonly input?: number;
  readonly output?: number;
  readonly total?: number;
  readonly cost?: unknown;
}

export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly WireBlock[];
  readonly timestamp?: number;
  /** No person's words: what the gateway told its agent. */
  readonly system?: boolean;
  /** What the person wrote and sent, when understanding added to it; `content` is what the agent was given. */
  readonly written?: {
    readonly text: string;
    readonly files: readonly { readonly name: string; readonly mime: string }[];
  };
  /** What people got with it; `chat.file` has the bytes. */
  readonly files?: readonly {
    readonly id: string;
    readonly name: string;
    readonly mime: string;
    readonly size: number;
  }[];
  /** What the gateway knows of it; the run of a person's message is the idempotency key of its `chat.send`. */
  readonly __openclaw?: { readonly id?: string; readonly runId?: string; readonly idempotencyKey?: string };
  readonly provider?: string;
  readonly model?: string;
  readonly usage?: WireUsage;
  readonly stopReason?: string;
  readonly errorMessage?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
  readonly details?: unknown;
}

export interface ActiveRun {
  readonly runId: string;
  readonly text?: string;
  readonly progress?: string;
}

export interface ChatHistory {
  readonly sessionKey: string;
  readonly sessionId?: string;
  readonly messages: readonly WireMessage[];
  readonly thinkingLevel?: string;
  readonly inFlightRun?: ActiveRun | null;
  /** Older messages begin behind this many of the newest; absent: these are all. */
  readonly nextOffset?: number;
}

/** `delta` carries the new text and, as `message`, everything so far. */
export interface ChatEvent {
  readonly runId: string;
  readonly sessionKey: string;
  readonly seq: number;
  readonly state: 'status' | 'delta' | 'final' | 'aborted' | 'error';
  readonly deltaText?: string;
  readonly replace?: boolean;
  readonly message?: WireMessage;
  readonly errorMessage?: string;
  readonly errorKind?: string;
  readonly stopReason?: string;
  readonly usage?: WireUsage;
}

export interface AgentEvent {
  readonly runId: string;
  readonly seq: number;
  readonly stream: string;
  readonly ts: number;
  readonly sessionKey?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ChatSendResult {
  readonly runId?: string;
  readonly status?: string;
  readonly aborted?: boolean;
}

export interface TimelineEntry {
  readonly stage: string;
  readonly at: number;
  readonly ms?: number;
  readonly detail?: string;
  readonly ok?: boolean;
  readonly steps?: readonly TimelineStep[];
}
/** One thing that was tried to understand a link or an attachment; `reached`: the connections it made. */
export interface TimelineStep {
  readonly what: string;
  readonly outcome: 'success' | 'skipped' | 'failed' | 'blocked';
  readonly reason?: string;
  readonly ms?: number;
  readonly chosen?: boolean;
  readonly reached?: readonly string[];
}
export interface Timeline {
  readonly runId: string;
  readonly entries: readonly TimelineEntry[];
}

export interface ConfigSnapshot {
  readonly path: string;
  readonly exists: boolean;
  readonly raw: string | null;
  readonly valid: boolean;
  readonly hash?: string;
  readonly issues?: readonly ConfigIssue[];
  readonly warnings?: readonly ConfigIssue[];
}
export interface ConfigIssue {
  readonly path?: string;
  readonly message?: string;
  readonly problem?: string;
  readonly fix?: string;
}

export interface LogsTail {
  readonly file: string;
  readonly cursor: number;
  readonly size: number;
  readonly lines: readonly string[];
  readonly truncated?: boolean;
  readonly reset?: boolean;
}

export interface PairingRequest {
  readonly requestId: string;
  readonly deviceId: string;
  readonly displayName?: string;
  readonly platform?: string;
  readonly clientId?: string;
  readonly role?: string;
  readonly scopes?: readonly string[];
  readonly remoteIp?: string;
  readonly ts: number;
}
export interface PairedDevice {
  readonly deviceId: string;
  readonly displayName?: string;
  readonly platform?: string;
  readonly clientId?: string;
  readonly roles?: readonly string[];
  readonly role?: string;
  readonly scopes?: readonly string[];
  readonly approvedAtMs?: number;
  readonly lastSeenAtMs?: number;
  readonly tokens?: readonly { readonly role: string; readonly revokedAtMs?: number; readonly lastUsedAtMs?: number }[];
}
export interface DeviceList {
  readonly pending: readonly PairingRequest[];
  readonly paired: readonly PairedDevice[];
}
