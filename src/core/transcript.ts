/** The messages of a conversation, in a transcript and for a model. */
import { present } from './present.ts';
import type { CanvasBlock } from './canvas.ts';
import type { Shown } from './shown.ts';

/** Text of a message. */
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
/** A tool call the model asked for. `arguments` is what it wrote, not yet validated; `meta` is opaque as above. */
export interface ToolCallBlock {
  readonly type: 'toolCall';
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly meta?: unknown;
}

/** A message to the agent. `timestamp` in milliseconds since the epoch. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly timestamp: number;
  /** A message of the gateway about an event. It is shown to people and never sent to the model. */
  readonly system?: true;
  /** Original text and files of the person, if `content` contains more. For people; the model never sees it. */
  readonly written?: {
    readonly text: string;
    readonly files: readonly { readonly name: string; readonly mime: string }[];
    /** Name of the person, or the names of several, on a channel. */
    readonly by?: string;
  };
}

/** Why the model stopped; `injected`: no model wrote the message. */
export type StopReason = 'stop' | 'toolUse' | 'length' | 'aborted' | 'error' | 'injected';

/** A message of the agent. `timestamp` in milliseconds since the epoch; `errorMessage` with `stopReason: 'error'`. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextBlock | ThinkingBlock | ToolCallBlock | CanvasBlock)[];
  readonly timestamp: number;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  readonly errorMessage?: string;
  /** What people read and get in place of its words. For people; the model never sees it. */
  readonly shown?: Shown;
}

/** The result of one tool call. `timestamp` in milliseconds since the epoch. */
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

/** Any message of a transcript, by `role`. */
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

/** The usage of a step that called no model: zeros, in tokens. */
export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

/** Sums two usages field by field. `cost` stays absent when neither has one. */
export const addUsage = (a: Usage, b: Usage): Usage =>
  present({
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    total: a.total + b.total,
    cost: a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0),
  });

/** What a model reads in the place of a picture it is not shown; `why` is the rest of a sentence about the picture. */
export const pictureLeftOut = (why: string): string => `[a picture was left out: ${why}]`;

/** The text blocks of a message, joined. */
export const textOf = (content: readonly { readonly type: string; readonly text?: string }[]): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])).join('');
