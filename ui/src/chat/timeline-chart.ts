/** Lays out the stages of one message on a time axis. Pure. */
import type { TimelineEntry, TimelineStep } from '../gateway/wire.ts';

export interface TimelineBar {
  readonly label: string;
  readonly detail: string;
  readonly tone: 'plain' | 'model' | 'tool' | 'note' | 'warn' | 'good' | 'bad';
  readonly steps: readonly TimelineStep[];
  /** The label of a successful step. */
  readonly success: string;
  /** Milliseconds from the first stage to the start of this one. */
  readonly offset: number;
  /** The duration; undefined for an instant. */
  readonly ms: number | undefined;
  /** Percent of the whole time. */
  readonly left: number;
  readonly width: number;
}

/** Stages with a duration, whose `at` is the start. For the others, which are instants, `ms` is the time until then. */
/** The number of links and attachments that were turned into text. */
const UNDERSTOOD = new Set(['link', 'image', 'audio', 'video', 'file']);
const SPANS = new Set(['model', 'tool', 'compaction', ...UNDERSTOOD]);
const LABELS: Readonly<Record<string, string>> = {
  accepted: 'Accepted',
  routed: 'Routed',
  authority: 'Access',
  queued: 'Queued',
  started: 'Started',
  answered: 'Answered',
  model: 'Model',
  tool: 'Tool',
  link: 'Link',
  image: 'Picture',
  audio: 'Recording',
  video: 'Film',
  file: 'File',
  transcript: 'Saved',
  outbox: 'Queued to send',
  delivered: 'Delivered',
  ended: 'Ended',
};

export function timelineBars(entries: readonly TimelineEntry[]): {
  readonly bars: readonly TimelineBar[];
  readonly totalMs: number;
} {
  if (entries.length === 0) return { bars: [], totalMs: 0 };
  const sorted = entries.toSorted((a, b) => a.at - b.at);
  const start = sorted[0]!.at;
  const spanOf = (entry: TimelineEntry): number | undefined => (SPANS.has(entry.stage) ? entry.ms : undefined);
  const totalMs = Math.max(1, ...sorted.map((entry) => entry.at + (spanOf(entry) ?? 0) - start));
  const percent = (ms: number): number => Math.round((ms / totalMs) * 1000) / 10;
  const bars = sorted.map((entry) => ({
    label: LABELS[entry.stage] ?? entry.stage.charAt(0).toUpperCase() + entry.stage.slice(1),
    detail: entry.detail ?? '',
    tone: toneOf(entry),
    steps: entry.steps ?? [],
    success: entry.stage === 'door' || entry.stage === 'authority' ? 'passed' : 'success',
    offset: entry.at - start,
    ms: spanOf(entry),
    left: Math.min(99, percent(entry.at - start)),
    width: Math.max(1, percent(spanOf(entry) ?? 0)),
  }));
  return { bars, totalMs };
}

/**
 * A picture for a model with vision needs no text. Anything else without text is highlighted but is not a failure,
 * because the answer continued.
 */
const isPassedOn = ({ steps = [] }: TimelineEntry): boolean =>
  steps.some(({ reason }) => reason?.startsWith('sent to'));

function toneOf(entry: TimelineEntry): TimelineBar['tone'] {
  if (UNDERSTOOD.has(entry.stage)) return entry.ok === false && !isPassedOn(entry) ? 'warn' : 'note';
  if (entry.ok === false) return 'bad';
  if (entry.stage === 'model' || entry.stage === 'tool') return entry.stage;
  return entry.stage === 'delivered' || entry.stage === 'ended' ? 'good' : 'plain';
}
