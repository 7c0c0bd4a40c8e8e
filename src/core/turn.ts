/** A turn and the events that observers get from it. */
import type { Authority } from './authority.ts';
import type { AskMode, ElevatedLevel, EXEC_HOSTS, SecurityLevel } from './command-levels.ts';
import type { Trigger, TurnOrigin } from './trigger.ts';
import type { Attachment, PlaceNames } from './message.ts';
import type { Route } from './route.ts';
import type { Shown } from './shown.ts';
import type { AssistantMessage, Message, ToolResultMessage, Usage, UserMessage } from './transcript.ts';

/** One turn: what to answer, where, on whose behalf and with which options. Readonly from admission to its end. */
export interface Turn {
  /** Also the `runId` clients see; for webchat and HTTP the caller's idempotency key. */
  readonly id: string;
  readonly route: Route;
  readonly origin: TurnOrigin;
  readonly text: string;
  readonly images: readonly Attachment[];
  /** The trigger, if no person wrote the message. */
  readonly trigger?: Trigger;
  /** Nobody wrote it: every message in it is the gateway's. */
  readonly system?: true;
  /** What the person wrote, when `text` says more than that. */
  readonly written?: UserMessage['written'];
  /** Told to the person before the answer. */
  readonly notices?: readonly string[];
  readonly options: TurnOptions;
  /**
   * Where it was said: what the agent is told of the place, the only skills it may use there, and what else tells which
   * place it is.
   */
  readonly place?: {
    readonly prompt?: string;
    readonly skills?: readonly string[];
    readonly spaceId?: string;
    readonly names?: PlaceNames;
  };
  /** Of everybody whose words are in it, together. */
  readonly authority: Authority;
}

/** What a caller may ask of one turn; everything is optional. */
export interface TurnOptions {
  /** `provider/model` for this turn only. */
  readonly model?: string;
  readonly thinking?: ThinkingLevel;
  readonly extraSystemPrompt?: string;
  /** The session starts over before it: a new transcript, the same settings. */
  readonly freshSession?: true;
  readonly timeoutMs?: number;
  /** Function tools the caller runs itself: a call to one ends the turn with `toolCalls`. */
  readonly clientTools?: readonly ClientTool[];
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly tool: string };
  /** Results of client tools that open this turn in place of text. */
  readonly toolResults?: readonly ToolResultMessage[];
  /** Conversation before this turn, given by a stateless caller; written to the new session first. */
  readonly seed?: readonly Message[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  /** `/elevated` inside the message: for this turn only. */
  readonly elevated?: ElevatedLevel;
  /** `/verbose` and `/reasoning` inside the message: for this turn only. */
  readonly verbose?: 'off' | 'on' | 'full';
  readonly reasoning?: 'off' | 'on' | 'stream';
  /** `/exec` inside the message; it can only make stricter. */
  readonly exec?: ExecRequest;
}

/** How commands of this one turn run, as its message asked. It can only make the settings stricter. */
export interface ExecRequest {
  readonly host?: Exclude<(typeof EXEC_HOSTS)[number], 'node'>;
  readonly security?: SecurityLevel;
  readonly ask?: AskMode;
}

/** A tool the client runs itself. `parameters` is a JSON Schema. */
export interface ClientTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** How much a model may think before it answers, from none to most. */
export const THINKING_LEVELS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
/** One of these levels. */
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

/** `ended` comes exactly once, and last. `text` and `thinking` deltas belong to the assistant message in progress. */
export type AgentEvent =
  /** A link or attachment is being understood, before the turn starts. */
  | { readonly type: 'understanding'; readonly text: string }
  | { readonly type: 'started'; readonly turnId: string; readonly provider: string; readonly model: string }
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'thinking'; readonly delta: string }
  | { readonly type: 'tool.started'; readonly callId: string; readonly tool: string; readonly input: unknown }
  | { readonly type: 'tool.progress'; readonly callId: string; readonly tool: string; readonly text: string }
  | {
      readonly type: 'tool.ended';
      readonly callId: string;
      readonly tool: string;
      readonly result: ToolResultMessage;
      readonly ms: number;
    }
  | { readonly type: 'message'; readonly message: AssistantMessage }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'compacted'; readonly before: number; readonly after: number }
  | { readonly type: 'ended'; readonly outcome: TurnOutcome };

/** How a turn ended, by `kind`. */
export type TurnOutcome =
  | {
      readonly kind: 'done';
      readonly text: string;
      readonly usage: Usage;
      readonly toolCalls?: readonly PendingToolCall[];
      /** What people read and get of `text` in the product's own chat. Absent: the text as it is. */
      readonly shown?: Shown;
      /** What a tool gave people there before it, in order. */
      readonly told?: readonly Shown[];
      readonly stopReason?: 'stop' | 'length';
      /** Nobody was notified. */
      readonly silent?: true;
      /** One answer for several messages: it was sent with the other run, and this is its text too. */
      readonly mergedInto?: string;
    }
  /** `text` is what had been said by then. */
  | { readonly kind: 'aborted'; readonly text: string; readonly usage: Usage }
  /**
   * `code` is `SUSPENDED_CODE` when the gateway stops: the message has no end state and is answered after the next
   * start.
   */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly usage: Usage };

/** The code of a turn that a shutdown suspended: it continues after the restart. */
export const SUSPENDED_CODE = 'suspended';

/** A call to a client tool, waiting for the caller. */
export interface PendingToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}
