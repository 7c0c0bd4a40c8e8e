/** What comes next by the clock, and how the agent's last look went. */
import { html, nothing, type TemplateResult } from 'lit';
import '../cron/coming.css';
import { dayAndTime, inTime, isoTime } from '../cron/coming-times.ts';
import { lookWords } from '../cron/job-words.ts';
import { ago, exactTime } from '../elements/times.ts';
import type { Job, LastHeartbeat } from '../gateway/cron-wire.ts';

export interface ComingWork {
  /** The next ones, each with its next instant first. */
  readonly jobs: readonly Job[];
  readonly look: LastHeartbeat | undefined;
  /** Without an id: the whole page. */
  open(id?: string): void;
}

export const comingCard = ({ jobs, look, open }: ComingWork): TemplateResult => html`<section class="card coming" aria-label="Coming up"><h2>Coming up</h2>
  ${jobs.length === 0 ? html`<p class="quiet">Nothing is scheduled. <button class="link" @click=${() => open()}>Add a job</button></p>` : html`<ul class="rows">${jobs.map((job) => html`<li class="row"><span><button class="link" @click=${() => open(job.id)}><bdi>${job.name}</bdi></button><small>${job.when}</small></span>${at(job.nextRunsAtMs[0]!)}</li>`)}</ul>`}
  ${look ? heartbeat(look) : nothing}
</section>`;

const at = (instant: number): TemplateResult => html`<time class="coming-at" datetime=${isoTime(instant)} title=${exactTime(instant)}><b>${inTime(instant, Date.now())}</b><small>${dayAndTime(instant, Date.now())}</small></time>`;

function heartbeat(look: LastHeartbeat): TemplateResult {
  const { tone, words } = lookWords(look);
  return html`<p class="small coming-look"><b>Heartbeat</b> ${look.enabled ? nothing : 'switched off; last it '}<span class=${tone}>${words}</span> <time class="quiet" datetime=${isoTime(look.ts)} title=${exactTime(look.ts)}>${ago(look.ts, Date.now())}</time>${look.nextAtMs ? html` <span class="quiet">· looks again <time datetime=${isoTime(look.nextAtMs)} title=${exactTime(look.nextAtMs)}>${inTime(look.nextAtMs, Date.now())}</time></span>` : nothing}${look.status === 'sent' && look.preview ? html`<span class="coming-said">“<bdi>${look.preview}</bdi>”</span>` : nothing}</p>`;
}
