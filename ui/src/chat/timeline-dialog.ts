/** Shows the timeline of one message, stage by stage, on a time axis. */
import { html, nothing, render, svg } from 'lit';
import { icon } from '../elements/icons.ts';
import { duration, exactTime } from '../elements/times.ts';
import { messageOf } from '../gateway/requests.ts';
import type { Timeline } from '../gateway/wire.ts';
import { timelineBars, type TimelineBar } from './timeline-chart.ts';
import { timelineSteps } from './timeline-steps.ts';

type Loading =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'ready'; readonly timeline: Timeline };

export async function showTimeline(load: () => Promise<Timeline>): Promise<void> {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog wide timeline';
  dialog.setAttribute('aria-label', 'Message timeline');
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  const show = (loading: Loading): void => {
    render(
      view(loading, () => dialog.close()),
      dialog,
    );
  };
  show({ state: 'loading' });
  dialog.showModal();
  try {
    show({ state: 'ready', timeline: await load() });
  } catch (cause) {
    show({ state: 'failed', error: messageOf(cause) });
  }
}

function view(loading: Loading, close: () => void): unknown {
  return html`<header class="dialog-head"><h2>Timeline</h2><button class="ghost" aria-label="Close" autofocus
    @click=${close}>${icon('close')}</button></header>
    ${loading.state === 'loading' ? html`<p class="quiet">Loading…</p>` : nothing}
    ${loading.state === 'failed' ? html`<p class="quiet">The timeline is not available: ${loading.error}</p>` : nothing}
    ${loading.state === 'ready' ? chart(loading.timeline) : nothing}`;
}

function chart({ entries, runId }: Timeline): unknown {
  if (entries.length === 0) return html`<p class="quiet">No timeline: the journal no longer has this message.</p>`;
  const { bars, totalMs } = timelineBars(entries);
  return html`<p class="quiet">${exactTime(
    Math.min(...entries.map((entry) => entry.at)),
  )} · ${duration(totalMs)} total</p>
    <ol class="timeline-rows">${bars.map(barRow)}</ol>
    <p class="timeline-id">Run <code>${runId}</code></p>`;
}

const barRow = (bar: TimelineBar): unknown => html`<li class="timeline-row ${bar.tone}">
  <span class="timeline-stage">${bar.label}</span>
  <svg class="timeline-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${svg`<rect class="track"
    x="0" y="3.5" width="100" height="1"/><rect class="bar" x=${Math.min(bar.left, 100 - bar.width)} y="0"
    width=${bar.width} height="8" rx="0.6"/>`}</svg>
  <span class="timeline-ms">${bar.offset < 1 ? 'start' : `+${duration(bar.offset)}`}${
    bar.ms === undefined ? '' : ` · ${duration(bar.ms)}`
  }</span>
  ${bar.detail ? html`<span class="timeline-detail">${bar.detail}</span>` : nothing}
  ${bar.steps.length > 0 ? timelineSteps(bar.steps, bar.success) : nothing}
</li>`;
