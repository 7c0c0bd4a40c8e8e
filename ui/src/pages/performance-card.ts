/** Performance in the last hour: figures, and the slowest steps as bars that open their timelines. */
import { html, nothing, type TemplateResult } from 'lit';
import { ago, bytesText, duration } from '../elements/times.ts';
import type { PerformanceReport } from '../gateway/wire.ts';

const SHOWN = 5;

type SlowStep = PerformanceReport['slowest'][number];

/** `open`: opens the timeline of a run. */
export function performanceCard(report: PerformanceReport, open: (runId: string) => void): TemplateResult {
  const { messages, answers, commits, syncs, eventLoop, slowest } = report;
  const longest = slowest[0]?.ms ?? 1;
  return html`<section class="card performance" aria-label="Performance"><h2>Last hour</h2>
    <dl class="figures">
      ${figure('Messages', String(messages), answers.count === messages ? '' : `${answers.count} ended`)}
      ${figure('Answers', duration(answers.p50Ms), `p95 ${duration(answers.p95Ms)}`)}
      ${figure('Commits', duration(commits.p50Ms), `p99 ${duration(commits.p99Ms)} · ${commits.count}`)}
      ${figure('Syncs', duration(syncs.p50Ms), `p99 ${duration(syncs.p99Ms)} · ${syncs.count}`)}
      ${figure('Event loop', duration(eventLoop.p99Ms), `at most ${duration(eventLoop.maxMs)}`)}
      ${figure(
        'Written',
        bytesText(eventLoop.writtenBytes),
        messages === 0 ? '' : `${bytesText(Math.round(eventLoop.writtenBytes / messages))} per message`,
      )}
    </dl>
    ${
      slowest.length === 0
        ? nothing
        : html`<h3 class="small">Slowest steps</h3>
    <ul class="slow-steps">${slowest.slice(0, SHOWN).map((step) => slowStep(step, longest, open))}</ul>`
    }
  </section>`;
}

const figure = (label: string, value: string, detail: string): TemplateResult =>
  html`<div><dt>${label}</dt><dd>${value}<small class="quiet">${detail}</small></dd></div>`;

const slowStep = (
  { stage, detail, ms, at, runId }: SlowStep,
  longest: number,
  open: (runId: string) => void,
): TemplateResult => html`<li><button class="slow-step" title="Show timeline" @click=${() => open(runId)}>
    <span class="slow-name"><bdi>${detail ? `${stage} ${detail}` : stage}</bdi></span>
    <span class="slow-bar" aria-hidden="true"><span style="width: ${Math.max(1, (ms / longest) * 100)}%"></span></span>
    <span class="slow-ms">${duration(ms)}</span>
    <span class="quiet small">${ago(at, Date.now())}</span>
  </button></li>`;
