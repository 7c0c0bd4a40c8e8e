/** Decisions about media in one line, for `/status` and the log. */
import type { MediaDecision } from '../../../core/understanding.ts';

/** `📎 Media: image ok (p/m) · audio skipped (maxBytes)`; undefined when there was nothing to decide. */
export function mediaStatusLine(decisions: readonly MediaDecision[]): string | undefined {
  if (decisions.every(({ outcome }) => outcome === 'no-attachment')) return undefined;
  return `📎 Media: ${decisions.map(phrase).join(' · ')}`;
}

/** `image: success (1/2) via p/m`, with the reason of the first that gave nothing. */
export function summary(decision: MediaDecision): string {
  const { capability, outcome, attachments } = decision;
  const chosen = attachments.filter((attachment) => attachment.chosen?.outcome === 'success');
  const via = chosen[0] ? ` via ${by(decision)}` : '';
  const reason = firstReason(decision);
  return `${capability}: ${outcome} (${chosen.length}/${attachments.length})${via}${reason ? ` reason=${reason}` : ''}`;
}

function phrase(decision: MediaDecision): string {
  const { capability, outcome, attachments } = decision;
  const subject = attachments.length > 1 ? `${capability} x${attachments.length}` : capability;
  const inBrackets = (text: string | undefined): string => (text ? ` (${text})` : '');
  switch (outcome) {
    case 'success':
      return `${subject} ok${inBrackets(by(decision))}`;
    case 'no-attachment':
      return `${subject} none`;
    case 'disabled':
      return `${subject} off`;
    case 'scope-deny':
      return `${subject} denied`;
    default:
      return `${subject} ${outcome}${inBrackets(firstReason(decision)?.split(':', 1)[0]?.trim())}`;
  }
}

function by({ attachments }: MediaDecision): string | undefined {
  const chosen = attachments.find((attachment) => attachment.chosen?.outcome === 'success')?.chosen;
  return chosen?.provider && [chosen.provider, chosen.model].filter(Boolean).join('/');
}

function firstReason({ attachments }: MediaDecision): string | undefined {
  return attachments
    .flatMap(({ attempts, reason }) => [
      ...attempts.filter(({ outcome }) => outcome !== 'success').map((attempt) => attempt.reason),
      reason,
    ])
    .find(Boolean);
}
