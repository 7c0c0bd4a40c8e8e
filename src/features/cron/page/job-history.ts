/** `<claw-job-history>`: what came of a job's runs: a strip of bars, and a table with reasons and links. */
import { head } from '../../../core/cut.ts';
import { html, nothing } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { duration, exactTime } from '../../../../ui/src/elements/times.ts';
import type { JobRun } from './wire.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import { dayAndTime, isoTime } from '../../../../ui/src/pages/coming-times.ts';
import { deliveryMark, outcomeOf, triggerWords } from './job-words.ts';
import { runChart } from './run-chart.ts';

const FIRST = 40;
const MORE = 200;
const SHOWN = 8;
/** Characters of a reason or a summary. */
const WORDS = 600;

export class JobHistory extends LightElement {
  static override properties = {
    app: { attribute: false },
    jobId: { attribute: false },
    zone: { attribute: false },
    version: { attribute: false },
    runs: { state: true },
    problem: { state: true },
    all: { state: true },
  };
  declare app: App;
  declare jobId: string;
  /** IANA: that of the job's clock. */
  declare zone: string;
  /** Changes whenever a run began or ended. */
  declare version: number;
  declare runs: readonly JobRun[] | undefined;
  declare problem: string;
  /** Not only the newest few. */
  declare all: boolean;

  constructor() {
    super();
    this.problem = '';
    this.all = false;
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has('jobId') || changed.has('version')) void this.#load();
  }

  override render(): unknown {
    const { runs, problem } = this;
    if (problem) return html`<p class="strip bad" role="alert">${problem}</p>`;
    if (!runs) return html`<div class="history waiting"><p class="quiet">Loading…</p></div>`;
    if (runs.length === 0) return html`<p class="quiet small history-none">Not run yet.</p>`;
    const newest = runs.toReversed();
    return html`<section class="history" aria-label="History">
      ${runChart(runs, this.zone)}
      <table class="history-table"><thead><tr><th scope="col">When</th><th scope="col">Result</th><th
        scope="col">Duration</th><th scope="col">Trigger</th><th scope="col">Answer</th><th scope="col"><span
        class="offscreen">More</span></th></tr></thead>
        <tbody>${(this.all ? newest : newest.slice(0, SHOWN)).map((run) => this.#row(run))}</tbody></table>
      ${
        !this.all && (newest.length > SHOWN || runs.length === FIRST)
          ? html`<button class="button small" @click=${() => void this.#showAll()}>Show earlier runs</button>`
          : nothing
      }
    </section>`;
  }

  #row(run: JobRun): unknown {
    const outcome = outcomeOf(run);
    const delivery = deliveryMark(run);
    const words = run.error ?? run.deliveryError ?? run.summary ?? '';
    return html`<tr class=${outcome.tone}>
      <td class="history-at"><time datetime=${isoTime(run.runAtMs)} title=${exactTime(
        run.runAtMs,
        this.zone,
      )}>${dayAndTime(run.runAtMs, Date.now(), this.zone)}</time></td>
      <td><span class="mark ${outcome.tone}">${outcome.words}</span></td>
      <td class="history-took">${duration(run.durationMs)}</td>
      <td class="history-why quiet ${run.trigger === 'schedule' ? 'usual' : ''}">${triggerWords(run)}</td>
      <td class="history-delivery ${delivery.tone}">${delivery.words}</td>
      <td class="history-links">${
        run.sessionKey
          ? html`<button class="link" @click=${() => this.app.openSession(run.sessionKey!)}>Open</button>`
          : nothing
      }${
        this.app.offers('chat.timeline')
          ? html`<button class="link" @click=${() => void this.#timeline(run.runId)}>Timeline</button>`
          : nothing
      }</td>
    </tr>${
      words
        ? html`<tr class="history-note"><td colspan="6" class=${
            run.error ? outcome.tone : 'quiet'
          }><bdi>${head(words, WORDS)}</bdi></td></tr>`
        : nothing
    }`;
  }

  async #timeline(runId: string): Promise<void> {
    const { showTimeline } = await import('../../../../ui/src/chat/timeline-dialog.ts');
    await showTimeline(() => this.app.request('chat.timeline', { runId }));
  }

  async #showAll(): Promise<void> {
    this.all = true;
    if (this.runs?.length === FIRST) await this.#load();
  }

  async #load(): Promise<void> {
    try {
      const { entries } = await this.app.request('cron.runs', {
        id: this.jobId,
        scope: 'job',
        limit: this.all ? MORE : FIRST,
      });
      this.runs = entries;
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

customElements.define('claw-job-history', JobHistory);
