/** What people at the product's own chat read and get of a turn, where that is not what the model wrote. Pure. */
import { oncePerView, previewsByTools, type CanvasPreview } from '../../core/canvas.ts';
import { shownOfSent, type MessageSent } from '../../core/message-tool.ts';
import { present } from '../../core/present.ts';
import type { NewOutboxRow } from '../../journal/rows.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import type { Shown } from '../../core/shown.ts';
import type { Message } from '../../core/transcript.ts';
import type { TurnOutcome } from '../../core/turn.ts';
import { replyOf } from './end-turn.ts';

/** `replies`: what the answer became; a final one with `files` is not what was written. */
export function withShown(
  outcome: TurnOutcome,
  {
    replies,
    sent,
    canvas,
  }: {
    readonly replies: readonly ReplyPayload[];
    readonly sent: readonly MessageSent[];
    readonly canvas: readonly CanvasPreview[];
  },
): TurnOutcome {
  if (outcome.kind !== 'done' || outcome.silent) return outcome;
  const sentBefore = shownOfSent(sent);
  const shown = framing(shownOf(outcome, replies), { canvas, text: outcome.text });
  return { ...outcome, ...present({ shown, told: sentBefore.length > 0 ? sentBefore : undefined }) };
}

function shownOf(outcome: TurnOutcome, replies: readonly ReplyPayload[]): Shown | undefined {
  if (replyOf(outcome) === undefined) return undefined;
  const final = replies.find(({ kind }) => kind === 'final');
  // A tool said it before.
  if (!final) return { text: '', files: [] };
  return final.files && { text: final.text ?? '', files: final.files };
}

/** An answer that is shown as it was written, with something beside it, is no longer only that. */
const framing = (
  shown: Shown | undefined,
  { canvas, text }: { readonly canvas: readonly CanvasPreview[]; readonly text: string },
): Shown | undefined => (canvas.length === 0 ? shown : { ...(shown ?? { text, files: [] }), canvas });

/** What is framed beside an answer: what its words show, then what tools have shown in the turn. */
export function canvasOf(
  outcome: TurnOutcome,
  { replies, messages }: { readonly replies: readonly ReplyPayload[]; readonly messages: readonly Message[] },
): readonly CanvasPreview[] {
  if (outcome.kind !== 'done' || outcome.silent || replyOf(outcome) === undefined) return [];
  return oncePerView([...replies.flatMap(({ canvas = [] }) => canvas), ...previewsByTools(messages)]);
}

/** The answer with what tools have shown in its turn, for chats that read a line of it. */
export function withPreviews(rows: readonly NewOutboxRow[], messages: readonly Message[]): readonly NewOutboxRow[] {
  const canvas = previewsByTools(messages);
  if (canvas.length === 0) return rows;
  return rows.map((row) => (row.payload.kind === 'final' ? { ...row, payload: { ...row.payload, canvas } } : row));
}
