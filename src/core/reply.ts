/** An outgoing reply. Its directives are parsed already, so that it contains no `[[...]]`. */
import { ANNOUNCE_SKIP, HEARTBEAT_OK, REPLY_SKIP } from './trigger.ts';
import { SILENT_REPLY } from './product.ts';
import type { ChoiceButton, ShownChoices } from './choice.ts';
import type { CanvasPreview, EmbedRequest } from './canvas.ts';
import type { KeptFile } from './shown.ts';

/** Answers that mean nothing is to be said. */
const SILENT = [SILENT_REPLY, HEARTBEAT_OK, REPLY_SKIP, ANNOUNCE_SKIP];

/** The whole answer is a token for "say nothing". */
export const isSilent = (text: string): boolean => SILENT.includes(text.trim());
/** Characters, white space before it included. */
const SILENT_MAX = 200;
/**
 * What was said so far to a person may still become the token for it. Asked at every word: a longer text is not looked
 * at.
 */
export const maybeSilent = (soFar: string): boolean =>
  soFar.length <= SILENT_MAX && SILENT_REPLY.startsWith(soFar.trim());

/** What is to be said: text, files and how it is tied to the message it answers. */
export interface ReplyPayload {
  /** `notice`: outgoing text no model wrote. */
  readonly kind: 'final' | 'interim' | 'notice';
  readonly text?: string;
  /** It tells that the turn failed. */
  readonly failed?: true;
  readonly media?: readonly MediaRef[];
  /** Paths and addresses that tools of the turn attached, unchecked; planning turns them into `media` or `files`. */
  readonly attached?: readonly string[];
  /** In the product's own chat: the files people get, kept already; with it `text` is what they read. */
  readonly files?: readonly KeptFile[];
  readonly audioAsVoice?: boolean;
  /** The message it answers; `current`: the one the turn answers. On its way to a channel always an id. */
  readonly replyTo?: 'current' | { readonly id: string };
  /**
   * The outbox token of the preview that it replaces: the preview is edited, or the reply is sent as a new message if
   * that is not possible.
   */
  readonly replaces?: string;
  /** Shown letter by letter: no Markdown is read. */
  readonly plain?: true;
  /** Buttons below it, where its channel has them; the text says in words how to answer. */
  readonly choices?: readonly ChoiceButton[];
  readonly embeds?: readonly EmbedRequest[];
  /** What clients of the product itself frame beside the words; channels have read a line for it. */
  readonly canvas?: readonly CanvasPreview[];
}

/** An attached file: an absolute path on this machine, or an address that the platform fetches. */
export type MediaRef =
  | { readonly from: 'file'; readonly path: string; readonly mime: string; readonly name?: string }
  | { readonly from: 'url'; readonly url: string; readonly name?: string };

/** One row of the outbox on its way to a platform. */
export interface OutboundMessage {
  /** Stable across retries and restarts; the idempotency token where the platform takes one. */
  readonly token: string;
  readonly runId: string;
  readonly sessionKey: string;
  readonly payload: ReplyPayload;
}

/** Numbers stand below the words; buttons go with the last part of them. */
export const withChoices = (payload: ReplyPayload, shown: ShownChoices | undefined): ReplyPayload =>
  shown?.line === undefined ? payload : { ...payload, text: `${payload.text ?? ''}\n${shown.line}` };
