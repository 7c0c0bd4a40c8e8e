/** What the web chat shows of a turn where it differs from the text the model wrote. Pure. */
import { latestPerView, previewsByTools, type CanvasPreview } from '../../core/canvas.ts';
import { shownOfSent, type MessageSent } from '../../core/message-tool.ts';
import { present } from '../../core/present.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import { mediaByTools } from '../../core/structured-media.ts';
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
  const final = replies.find(({ kind }) => kind === 'final');
  // A tool said it before.
  if (!final) return replyOf(outcome) === undefined ? undefined : { text: '', files: [] };
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
  if (outcome.kind !== 'done' || outcome.silent || (replyOf(outcome) === undefined && replies.length === 0)) return [];
  return latestPerView([...replies.flatMap(({ canvas = [] }) => canvas), ...previewsByTools(messages)]);
}

/** What tools of a turn attach to its answer: files, and previews that chats without frames read a line of. */
export function attachedByTools(messages: readonly Message[]): Pick<ReplyPayload, 'attached' | 'canvas'> {
  const [attached, canvas] = [mediaByTools(messages), previewsByTools(messages)];
  return present({
    attached: attached.length > 0 ? attached : undefined,
    canvas: canvas.length > 0 ? canvas : undefined,
  });
}
