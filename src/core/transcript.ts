/** The messages of a conversation as they stand in a transcript and travel to a model. */
import type { Shown } from './shown.ts';

/** Words of a message. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}
/** `data` is base64. */
export interface ImageBlock {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
}
/** `meta` carries what the vendor needs back (signatures); opaque to us. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly meta?: unknown;
}
/** A call the model wants made; `meta` is the vendor's and goes back to it unread. */
export interface ToolCallBlock {
  readonly type: 'toolCall';
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly meta?: unknown;
}

/** What an agent was told; `timestamp` in milliseconds since the epoch. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly timestamp: number;
  /** No person's words: the gateway told its agent what happened. For people; the model never sees it. */
  readonly system?: true;
  /** What the person wrote and sent, when `content` says more than that. For people; the model never sees it. */
  readonly written?: {
    readonly text: string;
    readonly files: readonly { readonly name: string; readonly mime: string }[];
  };
}

/** Why a model stopped; `injected`: the text was written by the gateway. */
export type StopReason = 'stop' | 'toolUse' | 'length' | 'aborted' | 'error' | 'injected';

/** One answer of a model; `timestamp` in milliseconds since the epoch. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextBlock | ThinkingBlock | ToolCallBlock)[];
  readonly timestamp: number;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  readonly errorMessage?: string;
  /** What people read and get in place of its words. For people; the model never sees it. */
  readonly shown?: Shown;
}

/** What a tool call came to; `timestamp` in milliseconds since the epoch. */
export interface ToolResultMessage {
  readonly role: 'toolResult';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
  /** For the UI, logs and tests; the model never sees it. */
  readonly details?: unknown;
  readonly timestamp: number;
}

/** One entry of a conversation as models see it. */
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** Tokens; `cost` in US dollars when the model's prices are configured. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly total: number;
  readonly cost?: number;
}

/** Nothing was asked of a model. */
export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

/** The sum, in tokens; a cost where at least one of them has one. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  total: a.total + b.total,
  ...(a.cost === undefined && b.cost === undefined ? {} : { cost: (a.cost ?? 0) + (b.cost ?? 0) }),
});

/** What a model reads in the place of a picture it is not shown; `why` is the rest of a sentence about the picture. */
export const pictureLeftOut = (why: string): string => `[a picture was left out: ${why}]`;

/** The text blocks of a message, joined. */
export const textOf = (content: readonly { readonly type: string; readonly text?: string }[]): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])).join('');
