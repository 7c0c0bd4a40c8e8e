/**
 * Decides about the answer to a heartbeat: sent, sent without the token, or not sent; and how that is reported. Pure.
 */
import type { Visibility } from './visibility.ts';
import type { HeartbeatSettings } from './config.ts';
import type { HeartbeatEvent as HeartbeatReport } from './answers.ts';
import { head } from '../../core/cut.ts';
import { isAck, stripAck } from '../../core/ack.ts';
import type { AnswerFacts, ReplyDecision } from '../../host/reply-policy.ts';
import type { Turn, TurnOutcome } from '../../core/turn.ts';
import { readDirectives } from '../../core/directives/read-directives.ts';
import { present } from '../../core/present.ts';
import { misses } from './tick-target.ts';

/** The same alert is not told twice within this time. */
const SAME_MS = 24 * 60 * 60_000;
const PREVIEW_CHARS = 200;
/** Said where `showOk` is on and the agent said nothing beside the token. */
const ALL_QUIET = '✅ Checked: nothing needs you.';

export interface TickRules extends Pick<HeartbeatSettings, 'ackMaxChars' | 'target'> {
  readonly visibility: Visibility;
}

export interface TickDecision {
  readonly decision: ReplyDecision;
  readonly report: Pick<HeartbeatReport, 'status' | 'reason' | 'preview' | 'silent'>;
}

/**
 * A look nobody asked for that came to nothing leaves no trace; whatever a tool did, or an event said, is remembered.
 */
export function tickPolicy({
  turn,
  outcome,
  answer,
  rules,
}: {
  readonly turn: Turn;
  readonly outcome: TurnOutcome;
  readonly answer: AnswerFacts;
  readonly rules: TickRules;
}): TickDecision {
  const reason = turn.trigger?.origin === 'heartbeat' ? turn.trigger.reason : 'wake';
  const forget =
    reason === 'interval' && answer.messages.every(({ role }) => role !== 'toolResult')
      ? { forget: true as const }
      : {};
  const kept = (report: TickDecision['report']): TickDecision => ({
    decision: { silent: true, ...forget },
    report: { ...report, silent: true },
  });

  if (outcome.kind !== 'done')
    return kept({
      status: 'failed',
      reason,
      preview: preview(outcome.kind === 'failed' ? outcome.message : 'It was stopped.'),
    });
  const { text: words, media, silent } = readDirectives(outcome.text);
  const { found, text } = stripAck(outcome.text);
  if (media.length === 0 && (silent || words.trim() === '' || isAck(outcome.text, rules.ackMaxChars)))
    return allQuiet({ text, reason, answer, rules, kept });
  if (!rules.visibility.showAlerts)
    return {
      decision: { silent: true },
      report: { status: 'skipped', reason: 'alerts-disabled', preview: preview(words), silent: true },
    };
  const { lastHeartbeatText, lastHeartbeatSentAt = 0 } = answer.entry;
  const same =
    lastHeartbeatText !== undefined &&
    flat(lastHeartbeatText) === flat(remembered(text)) &&
    answer.now - lastHeartbeatSentAt < SAME_MS;
  // What somebody asked to be reminded of is told every time.
  if (same && reason === 'interval' && media.length === 0)
    return kept({ status: 'skipped', reason: 'duplicate', preview: preview(words) });
  const patch = { lastHeartbeatText: remembered(text), lastHeartbeatSentAt: answer.now };
  const nowhere = misses(rules, turn.route.replyTo);
  return {
    decision: present({ text: found ? text : undefined, patch }),
    report: { status: nowhere ? 'skipped' : 'sent', reason: nowhere ? 'no-target' : reason, preview: preview(words) },
  };
}

interface AllQuiet {
  readonly text: string;
  readonly reason: string;
  readonly answer: AnswerFacts;
  readonly rules: TickRules;
  kept(report: TickDecision['report']): TickDecision;
}

/** Where the agent told somebody by itself, that is how it went. */
function allQuiet({ text, reason, answer, rules, kept }: AllQuiet): TickDecision {
  const said = answer.sent.at(-1)?.text;
  if (said !== undefined) return kept({ status: 'sent', reason, preview: preview(said) });
  const words = text.replace(/[^\p{L}\p{N}]+/gu, '') === '' ? ALL_QUIET : text;
  if (!rules.visibility.showOk) return kept({ status: 'ok', reason });
  return { decision: { text: words }, report: { status: 'ok', reason, preview: preview(words) } };
}

/** Markup and spacing make no other message. */
const flat = (text: string): string =>
  text
    .replace(/[*_~`#>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** The session's entry stays small. */
const remembered = (text: string): string => head(text, 2000).toWellFormed();

const preview = (text: string): string => head(text.replace(/\s+/g, ' ').trim(), PREVIEW_CHARS);
