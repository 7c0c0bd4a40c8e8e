/**
 * Types of the items of a conversation: one per message or answer; an answer consists of parts in chronological order.
 */

import type { WirePreview } from '../../../src/protocol/answers/messages.ts';

export interface ImageView {
  readonly src: string;
  readonly name?: string;
}

/** A file without its content. `bytes`: known of what this page sent. */
export interface FileView {
  readonly name: string;
  readonly mime: string;
  readonly bytes?: number;
}

/** A file the gateway keeps for whoever reads the conversation. */
export interface AnswerFile extends FileView {
  readonly id: string;
  readonly bytes: number;
}

/** Said and given in this chat, by a tool or with the answer; no part of what the model streams. */
export interface AnswerFilesPart {
  readonly type: 'files';
  readonly text: string;
  /** Read by the element that shows them. */
  readonly files: readonly unknown[];
}

/** A document or page shown beside the words. */
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
  /** Said by the gateway, not by the model. */
  | { readonly type: 'notice'; readonly text: string };

export interface ToolPart {
  readonly type: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly args: unknown;
  readonly state: 'running' | 'ok' | 'error';
  readonly output: string;
  readonly images: readonly ImageView[];
  /** What the tool says beside its text, for people. */
  readonly details?: unknown;
  readonly startedAt?: number;
  readonly ms?: number;
}

export interface PersonItem {
  readonly kind: 'person';
  readonly key: string;
  readonly text: string;
  readonly images: readonly ImageView[];
  /** What is not shown as a picture. */
  readonly files: readonly FileView[];
  /** What the agent received, when understanding added to the text. */
  readonly agentText?: string;
  readonly at: number;
  readonly runId?: string;
  /** Of its entry in the transcript; absent until the gateway has told it. */
  readonly entryId?: string;
  /** Who wrote it on a channel; absent: whoever uses the web chat. */
  readonly by?: string;
  /** Nobody wrote it: the gateway told its agent what happened. */
  readonly system?: true;
  /** Absent once the gateway has it. */
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
  /** Of its last entry in the transcript; absent while it is written. */
  readonly entryId?: string;
  readonly model?: string;
  readonly tokens?: number;
  readonly error?: string;
  /** What is being read before the agent begins. */
  readonly progress?: string;
}

export type ChatItem = PersonItem | AnswerItem;

/** The words of an answer without its thinking and tools: what "copy" copies. */
export const answerText = ({ parts }: Pick<AnswerItem, 'parts'>): string =>
  parts
    .flatMap((part) => ((part.type === 'text' || part.type === 'files') && part.text.trim() ? [part.text.trim()] : []))
    .join('\n\n');

export const isLive = (item: ChatItem): boolean =>
  item.kind === 'answer' && (item.status === 'waiting' || item.status === 'streaming');
