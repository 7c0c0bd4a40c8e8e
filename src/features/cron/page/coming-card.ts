/** What comes next by the clock, and what features say beside it. */
import { html, type TemplateResult } from 'lit';
import './coming.css';
import { dayAndTime, inTime, isoTime } from '../../../../ui/src/pages/coming-times.ts';
import { exactTime } from '../../../../ui/src/elements/times.ts';
import type { Job } from './wire.ts';

export interface ComingWork {
  /** The next ones, each with its next instant first. */
  readonly jobs: readonly Job[];
  /** A line of each feature that has something to tell. */
  readonly lines: readonly TemplateResult[];
  /** IANA: the person's, as the gateway has it. */
  readonly zone: string;
  /** Without an id: the whole page. */
  open(id?: string): void;
}

export const comingCard = ({
  jobs,
  lines,
  zone,
  open,
}: ComingWork): TemplateResult => html`<section class="card coming" aria-label="Coming up"><h2>Coming up</h2>
  ${
    jobs.length === 0
      ? html`<p class="quiet">No jobs scheduled. <button class="link" @click=${() => open()}>Add a job</button></p>`
      : html`<ul class="rows">${jobs.map(
          (job) => html`<li class="row"><span><button
    class="link" @click=${() => open(job.id)}><bdi>${job.name}</bdi></button><small>${job.when}</small></span>${at(job.nextRunsAtMs[0]!, job.zone ?? zone)}</li>`,
        )}</ul>`
  }
  ${lines}
</section>`;

const at = (instant: number, zone: string): TemplateResult =>
  html`<time class="coming-at" datetime=${isoTime(instant)} title=${exactTime(instant, zone)}><b>${inTime(
    instant,
    Date.now(),
    zone,
  )}</b><small>${dayAndTime(instant, Date.now(), zone)}</small></time>`;
