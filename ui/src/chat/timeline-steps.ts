/** Renders how a link or attachment was processed: each attempt, the choice, and why others were not used. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon, type IconName } from '../elements/icons.ts';
import { duration } from '../elements/times.ts';
import type { TimelineStep } from '../gateway/wire.ts';

/** More addresses than these are collapsed, unless one of them was blocked. */
const SHOWN_ADDRESSES = 3;
const isBlocked = (address: string): boolean => /\bblocked\b/.test(address);
const ICONS: Readonly<Record<TimelineStep['outcome'], IconName>> = {
  success: 'check',
  skipped: 'skip',
  failed: 'close',
  blocked: 'warn',
};

/** `success`: the outcome of a successful step, in one or two words. */
export const timelineSteps = (steps: readonly TimelineStep[], success: string): TemplateResult =>
  html`<ol class="steps">${steps.map((step) => stepRow(step, success))}</ol>`;

const stepRow = (
  step: TimelineStep,
  success: string,
): TemplateResult => html`<li class="step ${step.outcome} ${step.chosen ? 'chosen' : ''}">
  <span class="step-icon">${icon(step.chosen ? 'check' : ICONS[step.outcome])}</span>
  <span class="step-what">${step.what}</span>
  <span class="step-outcome">${step.chosen ? 'used' : step.outcome === 'success' ? success : step.outcome}</span>
  <span class="step-ms">${step.ms === undefined ? '' : duration(step.ms)}</span>
  ${step.reason ? html`<span class="step-more">${step.reason}</span>` : nothing}
  ${step.reached?.length ? reachedList(step.reached) : nothing}
</li>`;

function reachedList(reached: readonly string[]): TemplateResult {
  const list = html`<ul class="reached" aria-label="Connections">${reached.map(
    (address) => html`<li
    class=${isBlocked(address) ? 'blocked' : ''}>${address}</li>`,
  )}</ul>`;
  if (reached.length <= SHOWN_ADDRESSES) return html`<div class="step-more">${list}</div>`;
  const blocked = reached.filter(isBlocked).length;
  return html`<details class="step-more"
    ?open=${blocked > 0}><summary>${icon('chevron')}${reached.length} addresses${
      blocked > 0 ? `, ${blocked} blocked` : ''
    }</summary>${list}</details>`;
}
