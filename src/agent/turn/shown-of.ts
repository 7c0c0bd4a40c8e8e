/** What people at the product's own chat read and get of a turn, where that is not what the model wrote. Pure. */
import { shownOfSent, type MessageSent } from '../../core/message-tool.ts';
import { present } from '../../core/present.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import type { Shown } from '../../core/shown.ts';
import type { TurnOutcome } from '../../core/turn.ts';
import { replyOf } from './end-turn.ts';

/** `replies`: what the answer became; a final one with `files` is not what was written. */
export function withShown(
  outcome: TurnOutcome,
  { replies, sent }: { readonly replies: readonly ReplyPayload[]; readonly sent: readonly MessageSent[] },
): TurnOutcome {
  if (outcome.kind !== 'done' || outcome.silent) return outcome;
  const sentBefore = shownOfSent(sent);
  const shown = shownOf(outcome, replies);
  return { ...outcome, ...present({ shown, told: sentBefore.length > 0 ? sentBefore : undefined }) };
}

function shownOf(outcome: TurnOutcome, replies: readonly ReplyPayload[]): Shown | undefined {
  if (replyOf(outcome) === undefined) return undefined;
  const final = replies.find(({ kind }) => kind === 'final');
  // A tool said it before.
  if (!final) return { text: '', files: [] };
  return final.files && { text: final.text ?? '', files: final.files };
}
