/** The heartbeat line on the overview page: the last tick of the agent, and the next one. */
import { html, nothing, type TemplateResult } from 'lit';
import { inTime, isoTime } from '../../../../ui/src/pages/coming-times.ts';
import { ago, exactTime } from '../../../../ui/src/elements/times.ts';
import type { Glance } from '../../../../ui/src/pages/glances.ts';
import type { LastHeartbeat } from '../answers.ts';
import { tickWords } from './tick-words.ts';

export const glance: Glance<LastHeartbeat> = { method: 'last-heartbeat', event: 'heartbeat', line };

function line(tick: LastHeartbeat, zone: string): TemplateResult {
  const { tone, words } = tickWords(tick);
  return html`<p class="small coming-look"><b>Heartbeat</b> ${tick.enabled ? nothing : 'disabled; last run: '}<span
    class=${tone}>${words}</span> <time class="quiet" datetime=${isoTime(tick.ts)} title=${exactTime(
      tick.ts,
      zone,
    )}>${ago(tick.ts, Date.now(), zone)}</time>${
      tick.nextAtMs
        ? html` <span class="quiet">· next run <time
    datetime=${isoTime(tick.nextAtMs)} title=${exactTime(tick.nextAtMs, zone)}>${inTime(
      tick.nextAtMs,
      Date.now(),
      zone,
    )}</time></span>`
        : nothing
    }${
      tick.status === 'sent' && tick.preview
        ? html`<span
    class="coming-said">“<bdi>${tick.preview}</bdi>”</span>`
        : nothing
    }</p>`;
}
