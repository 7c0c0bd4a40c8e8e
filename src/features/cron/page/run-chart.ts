/** The last runs as a strip of bars: as high as they took, in the colour of what came of them. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { duration, exactTime } from '../../../../ui/src/elements/times.ts';
import type { JobRun } from './wire.ts';
import { outcomeOf } from './job-words.ts';

const SHOWN = 40;
const HEIGHT = 44;
const STEP = 9;
const BAR = 6;
/** What took no time is still seen. */
const LEAST = 4;

export interface Bar {
  readonly x: number;
  readonly height: number;
  readonly tone: string;
  readonly title: string;
}

/** Oldest left. By the square root, so that one run of an hour does not flatten those of a minute. Pure. */
export function runBars(runs: readonly JobRun[], zone: string): readonly Bar[] {
  const shown = runs.slice(-SHOWN);
  const longest = Math.max(1, ...shown.map(({ durationMs }) => durationMs));
  return shown.map((run, index) => {
    const { tone, words } = outcomeOf(run);
    return {
      x: index * STEP,
      height: Math.max(LEAST, Math.round(Math.sqrt(run.durationMs / longest) * HEIGHT)),
      tone,
      title: `${exactTime(run.runAtMs, zone)}: ${words}, ${duration(run.durationMs)}`,
    };
  });
}

/** `32 ok, 2 failed, 1 skipped`. Pure. */
export function countWords(runs: readonly JobRun[]): string {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(outcomeOf(run).words, (counts.get(outcomeOf(run).words) ?? 0) + 1);
  return [...counts].map(([words, count]) => `${count} ${words}`).join(', ');
}

/** Nothing before there are two runs. */
export function runChart(runs: readonly JobRun[], zone: string): TemplateResult | typeof nothing {
  if (runs.length < 2) return nothing;
  const bars = runBars(runs, zone);
  const longest = Math.max(...runs.slice(-SHOWN).map(({ durationMs }) => durationMs));
  return html`<figure class="run-chart">
    <svg viewBox="0 0 ${SHOWN * STEP} ${HEIGHT}" width=${SHOWN * STEP} height=${HEIGHT} role="img"
      aria-label="The last ${bars.length} runs: ${countWords(runs.slice(-SHOWN))}; the longest took ${duration(longest)}">
      ${bars.map(
        ({ x, height, tone, title }) => svg`<rect class=${tone} x=${x + (SHOWN - bars.length) * STEP}
        y=${HEIGHT - height} width=${BAR} height=${height} rx="1.5"><title>${title}</title></rect>`,
      )}
    </svg>
    <figcaption class="quiet"><span>${countWords(runs.slice(-SHOWN))}</span><span>longest ${duration(longest)}</span></figcaption>
  </figure>`;
}
