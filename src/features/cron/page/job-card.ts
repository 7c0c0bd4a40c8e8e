/**
 * One job: what it is, when it comes next, how it went, and, opened, what it says, its history and what can be done.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { App } from '../../../../ui/src/app.ts';
import { icon } from '../../../../ui/src/elements/icons.ts';
import { ago, duration, exactTime } from '../../../../ui/src/elements/times.ts';
import type { Job } from './wire.ts';
import { titleOf } from '../../../../ui/src/gateway/sessions.ts';
import { visible } from '../../../../ui/src/tools/visible-view.ts';
import { dayAndTime, inTime, isoTime } from '../../../../ui/src/pages/coming-times.ts';
import './job-history.ts';
import { agentOf, missedWords, placeWords, sessionOf, standing, targetWords, textOf } from './job-words.ts';

export interface JobCard {
  readonly app: App;
  readonly job: Job;
  /** IANA; for a job whose own cannot be told. */
  readonly zone: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly open: boolean;
  /** Something is being done to it. */
  readonly busy: boolean;
  /** Changes whenever a run of it began or ended. */
  readonly version: number;
  /** What this device may. */
  readonly mayChange: boolean;
  toggle(): void;
  switchOn(enabled: boolean): void;
  run(): void;
  edit(): void;
  remove(): void;
}

export function jobCard(card: JobCard): TemplateResult {
  const { job, open } = card;
  const mark = standing(job);
  return html`<article class="cron-job ${open ? 'open' : ''}" id="job-${job.id}" aria-label="Job ${job.name}">
    <div class="job-top">
      <button class="job-head" aria-expanded=${open ? 'true' : 'false'} @click=${() => card.toggle()}>
        <i class="dot ${mark.tone}"></i>
        <span class="job-name"><b><bdi>${job.name}</bdi></b><small>${job.when}</small></span>
        <span class="job-next">${next(job, zoneOf(card))}</span>
        <span class="mark ${mark.tone}">${mark.words}</span>
      </button>
      ${
        card.mayChange
          ? html`<label class="switch" title=${job.enabled ? 'Enabled' : 'Disabled'}><input type="checkbox"
        role="switch" aria-label="Enable ${job.name}" .checked=${live(job.enabled)} ?disabled=${card.busy}
        @change=${(event: Event) => card.switchOn((event.target as HTMLInputElement).checked)} /><i></i></label>`
          : nothing
      }
    </div>
    ${trouble(job)}
    ${open ? inside(card) : nothing}
  </article>`;
}

/** One clock for a card: that of the words of its schedule. */
const zoneOf = ({ job, zone }: Pick<JobCard, 'job' | 'zone'>): string => job.zone ?? zone;

function next({ nextRunsAtMs, enabled, problem }: Job, zone: string): unknown {
  const [at] = nextRunsAtMs;
  if (at === undefined || !enabled)
    return html`<span class="quiet">${enabled && !problem ? 'no more runs' : ''}</span>`;
  return html`<time datetime=${isoTime(at)} title=${exactTime(at, zone)}><b>${inTime(
    at,
    Date.now(),
    zone,
  )}</b><small>${dayAndTime(at, Date.now(), zone)}</small></time>`;
}

/** The last error is said on the card when it failed, and with the reason when it was switched off for that. */
function trouble({ problem, state, enabled }: Job): unknown {
  const words =
    problem ??
    (enabled ? undefined : state.disabledReason) ??
    (state.lastStatus === 'error' ? state.lastError : undefined);
  return words ? html`<p class="job-trouble">${icon('warn')}<span>${words}</span></p>` : nothing;
}

function inside(card: JobCard): TemplateResult {
  const { app, job } = card;
  return html`<div class="job-inside">
    ${job.description ? html`<p class="quiet"><bdi>${job.description}</bdi></p>` : nothing}
    <p class="job-text">${visible(textOf(job))}</p>
    <ul class="job-facts">${facts(card).map((fact) => html`<li>${fact}</li>`)}</ul>
    ${
      card.mayChange
        ? html`<div class="row-actions job-actions">
      <button class="button small" ?disabled=${card.busy || job.state.runningAtMs !== undefined} @click=${() =>
        card.run()}>${icon('send')}Run now</button>
      <button class="button small" @click=${() => card.edit()}>${icon('edit')}Edit</button>
      <button class="button small danger" @click=${() => card.remove()}>Remove</button></div>`
        : nothing
    }
    <claw-job-history .app=${app} .jobId=${job.id} .zone=${zoneOf(card)} .version=${card.version}></claw-job-history>
  </div>`;
}

function facts({ app, job, labels, zone: own }: JobCard): readonly unknown[] {
  const zone = zoneOf({ job, zone: own });
  const target = targetWords(job, labels);
  const now = Date.now();
  const { lastRunAtMs, lastDurationMs } = job.state;
  const turn = job.payload.kind === 'agentTurn' ? job.payload : undefined;
  const later = job.nextRunsAtMs.slice(1);
  return [
    ...(later.length > 0
      ? [
          html`then ${later.map(
            (at, index) => html`${index > 0 ? ', ' : nothing}<time
            datetime=${isoTime(at)}>${dayAndTime(at, now, zone)}</time>`,
          )}`,
        ]
      : []),
    ...(lastRunAtMs === undefined
      ? []
      : [
          html`<time datetime=${isoTime(lastRunAtMs)} title=${exactTime(lastRunAtMs, zone)}>last ${ago(
            lastRunAtMs,
            now,
            zone,
          )}</time>${lastDurationMs === undefined ? nothing : `, took ${duration(lastDurationMs)}`}`,
        ]),
    place(job, app),
    ...(turn ? [target ? html`answer to <bdi>${target}</bdi>` : 'answer not sent'] : []),
    `agent ${agentOf(job)}`,
    ...(turn?.model ? [html`model <code>${turn.model}</code>`] : []),
    ...(turn?.thinking ? [`thinking ${turn.thinking}`] : []),
    ...(turn?.timeoutSeconds ? [`at most ${turn.timeoutSeconds} s`] : []),
    ...(missedWords(job) ? [missedWords(job)] : []),
    ...(job.deleteAfterRun ? ['deleted after a successful run'] : []),
    ...(job.owner ? [html`made in ${sessionLink(app, job.owner.sessionKey)}`] : []),
    html`<code title="Job id for commands">${job.id}</code>`,
  ];
}

function place(job: Job, app: App): unknown {
  const key = sessionOf(job);
  return key === undefined ? placeWords(job) : html`in ${sessionLink(app, key)}`;
}

function sessionLink(app: App, key: string): TemplateResult {
  const session = app.sessions.store.get().rows.find((row) => row.key === key) ?? { key };
  return html`<button class="link" @click=${() => app.openSession(key)}>${titleOf(session)}</button>`;
}
