/** What the overview of the Control UI shows of heartbeats: how the agent's last look went, and when it looks again. */
import { html, nothing, type TemplateResult } from 'lit';
import { inTime, isoTime } from '../../../../ui/src/cron/coming-times.ts';
import { ago, exactTime } from '../../../../ui/src/elements/times.ts';
import type { Glance } from '../../../../ui/src/pages/glances.ts';
import type { LastHeartbeat } from '../answers.ts';
import { lookWords } from './look-words.ts';

export const glance: Glance<LastHeartbeat> = { method: 'last-heartbeat', event: 'heartbeat', line };

function line(look: LastHeartbeat, zone: string): TemplateResult {
  const { tone, words } = lookWords(look);
  return html`<p class="small coming-look"><b>Heartbeat</b> ${look.enabled ? nothing : 'switched off; last it '}<span class=${tone}>${words}</span> <time class="quiet" datetime=${isoTime(look.ts)} title=${exactTime(look.ts, zone)}>${ago(look.ts, Date.now(), zone)}</time>${look.nextAtMs ? html` <span class="quiet">· looks again <time datetime=${isoTime(look.nextAtMs)} title=${exactTime(look.nextAtMs, zone)}>${inTime(look.nextAtMs, Date.now(), zone)}</time></span>` : nothing}${look.status === 'sent' && look.preview ? html`<span class="coming-said">“<bdi>${look.preview}</bdi>”</span>` : nothing}</p>`;
}
