/**
 * Types of the items of a conversation: one per message or answer; an answer consists of parts in chronological order.
 */

import type { WirePreview } from '../../../src/protocol/answers/messages.ts';

export interface ImageView {
  readonly src: string;
  readonly name?: string;
}

/** A file without its content. `bytes`: known for files this page sent. */
export interface FileView {
  readonly name: string;
  readonly mime: string;
  readonly bytes?: number;
}

/** A file stored by the gateway for the readers of the conversation. */
export interface AnswerFile extends FileView {
  readonly id: string;
  readonly bytes: number;
}

/** Text and files sent to this chat by a tool or with the answer; not part of the model's text. */
export interface AnswerFilesPart {
  readonly type: 'files';
  readonly text: string;
  /** Validated by the element that shows them. */
  readonly files: readonly unknown[];
}

/** A document or page shown with the text. */
export interface CanvasPart {
  readonly type: 'canvas';
  readonly preview: WirePreview;
}

export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string; readonly live?: boolean }
  | ToolPart
  | AnswerFilesPart
  | CanvasPart
  /** A notice of the gateway, not text of the model. */
  | { readonly type: 'notice'; readonly text: string };

export interface ToolPart {
  readonly type: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly args: unknown;
  readonly state: 'running' | 'ok' | 'error';
  readonly output: string;
  readonly images: readonly ImageView[];
  /** Details of the tool result, for people. */
  readonly details?: unknown;
  readonly startedAt?: number;
  readonly ms?: number;
}

export interface PersonItem {
  readonly kind: 'person';
  readonly key: string;
  readonly text: string;
  readonly images: readonly ImageView[];
  /** Files that are not shown as pictures. */
  readonly files: readonly FileView[];
  /** What the agent received, if understanding added text. */
  readonly agentText?: string;
  readonly at: number;
  readonly runId?: string;
  /** The id of its entry in the transcript; absent until the gateway has sent it. */
  readonly entryId?: string;
  /** The sender on a channel; absent: a user of the web chat. */
  readonly by?: string;
  /** A system event: the gateway notified the agent. */
  readonly system?: true;
  /** Absent once the gateway has accepted it. */
  readonly pending?: 'sending';
}

export type AnswerStatus = 'waiting' | 'streaming' | 'done' | 'aborted' | 'failed';

export interface AnswerItem {
  readonly kind: 'answer';
  readonly key: string;
  readonly parts: readonly AnswerPart[];
  readonly at: number;
  readonly status: AnswerStatus;
  readonly runId?: string;
  /** The id of its last entry in the transcript; absent while the answer is running. */
  readonly entryId?: string;
  readonly model?: string;
  readonly tokens?: number;
  readonly error?: string;
  /** What understanding is reading before the agent begins. */
  readonly progress?: string;
}

export type ChatItem = PersonItem | AnswerItem;

/** The text of an answer without thinking and tools, for "copy". */
export const answerText = ({ parts }: Pick<AnswerItem, 'parts'>): string =>
  parts
    .flatMap((part) => ((part.type === 'text' || part.type === 'files') && part.text.trim() ? [part.text.trim()] : []))
    .join('\n\n');

export const isLive = (item: ChatItem): boolean =>
  item.kind === 'answer' && (item.status === 'waiting' || item.status === 'streaming');
