/** What becomes of the answer to a heartbeat: said, said without the token, or kept back; and how that is reported. Pure. */
import type { HeartbeatSettings, Visibility } from '../../config/heartbeat-config.ts';
import type { HeartbeatReport } from '../../gateway/time-services.ts';
import { isAck, stripAck } from '../../cron/heartbeat/ack.ts';
import type { Judged, Verdict } from '../../agent/turn/verdict.ts';
import type { Turn, TurnOutcome } from '../../core/turn.ts';
import { readDirectives } from '../../pipeline/delivery/directives.ts';
import { misses } from './beat-target.ts';

/** The same alert is not told twice within this time. */
const SAME_MS = 24 * 60 * 60_000;
const PREVIEW_CHARS = 200;
/** Said where `showOk` is on and the agent said nothing beside the token. */
const ALL_QUIET = '✅ I had a look: nothing needs you.';

export interface BeatRules extends Pick<HeartbeatSettings, 'ackMaxChars' | 'target'> { readonly visibility: Visibility }

export interface BeatVerdict {
  readonly verdict: Verdict;
  readonly told: Pick<HeartbeatReport, 'status' | 'reason' | 'preview' | 'silent'>;
}

/** A look nobody asked for that came to nothing leaves no trace; whatever a tool did, or an event said, is remembered. */
export function judgeBeat({ turn, outcome, judged, rules }: { readonly turn: Turn; readonly outcome: TurnOutcome; readonly judged: Judged; readonly rules: BeatRules }): BeatVerdict {
  const reason = turn.errand?.origin === 'heartbeat' ? turn.errand.reason : 'wake';
  const forget = reason === 'interval' && judged.messages.every(({ role }) => role !== 'toolResult') ? { forget: true as const } : {};
  const kept = (told: BeatVerdict['told']): BeatVerdict => ({ verdict: { silent: true, ...forget }, told: { ...told, silent: true } });

  if (outcome.kind !== 'done') return kept({ status: 'failed', reason, preview: preview(outcome.kind === 'failed' ? outcome.message : 'It was stopped.') });
  const { text: words, media, silent } = readDirectives(outcome.text);
  const { found, text } = stripAck(outcome.text);
  if (media.length === 0 && (silent || words.trim() === '' || isAck(outcome.text, rules.ackMaxChars))) return allQuiet({ text, reason, judged, rules, kept });
  if (!rules.visibility.showAlerts) return { verdict: { silent: true }, told: { status: 'skipped', reason: 'alerts-disabled', preview: preview(words), silent: true } };
  const { lastHeartbeatText, lastHeartbeatSentAt = 0 } = judged.entry;
  const same = lastHeartbeatText !== undefined && flat(lastHeartbeatText) === flat(remembered(text)) && judged.now - lastHeartbeatSentAt < SAME_MS;
  // What somebody asked to be reminded of is told every time.
  if (same && reason === 'interval' && media.length === 0) return kept({ status: 'skipped', reason: 'duplicate', preview: preview(words) });
  const patch = { lastHeartbeatText: remembered(text), lastHeartbeatSentAt: judged.now };
  const nowhere = misses(rules, turn.route.replyTo);
  return { verdict: { ...(found ? { text } : {}), patch }, told: { status: nowhere ? 'skipped' : 'sent', reason: nowhere ? 'no-target' : reason, preview: preview(words) } };
}

interface AllQuiet { readonly text: string; readonly reason: string; readonly judged: Judged; readonly rules: BeatRules; kept(told: BeatVerdict['told']): BeatVerdict }

/** Where the agent told somebody by itself, that is how it went. */
function allQuiet({ text, reason, judged, rules, kept }: AllQuiet): BeatVerdict {
  const said = judged.sent.at(-1)?.text;
  if (said !== undefined) return kept({ status: 'sent', reason, preview: preview(said) });
  const words = text.replace(/[^\p{L}\p{N}]+/gu, '') === '' ? ALL_QUIET : text;
  if (!rules.visibility.showOk) return kept({ status: 'ok', reason });
  return { verdict: { text: words }, told: { status: 'ok', reason, preview: preview(words) } };
}

/** Markup and spacing make no other message. */
const flat = (text: string): string => text.replace(/[*_~`#>]+/g, '').replace(/\s+/g, ' ').trim().toLowerCase();

/** The session's entry stays small. */
const remembered = (text: string): string => text.slice(0, 2000).toWellFormed();

const preview = (text: string): string => [...text.replace(/\s+/g, ' ').trim()].slice(0, PREVIEW_CHARS).join('');
