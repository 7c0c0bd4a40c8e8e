/** `<claw-cron>`: what the agent does by the clock: the coming runs, the jobs and how they went. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { App } from '../../../../ui/src/app.ts';
import { icon } from '../../../../ui/src/elements/icons.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { exactTime } from '../../../../ui/src/elements/times.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import type { Jobs, CronStatus, Job } from './wire.ts';
import { isDisconnected, messageOf, RequestError } from '../../../../ui/src/gateway/requests.ts';
import { dayAndTime, inTime, isoTime } from '../../../../ui/src/pages/coming-times.ts';
import './cron-calendar.ts';
import './cron.css';
import { emptyCron } from './empty-cron.ts';
import { removeJob, runJob, switchJob } from './job-actions.ts';
import { jobCard } from './job-card.ts';
import type { Draft } from './job-draft.ts';
import { schedulerMark } from './job-words.ts';

const PAGE = 25;
/** Jobs begin and end in bunches. */
const SOON_MS = 400;
const TYPING_MS = 250;
const TICK_MS = 1000;
/** Nothing is said to the second when the next run is further away; then every so many ticks is enough. */
const CLOSE_MS = 60_000;
const FAR_TICKS = 15;

export class CronPage extends LightElement {
  static override properties = {
    status: { state: true },
    list: { state: true },
    named: { state: true },
    labels: { state: true },
    query: { state: true },
    offset: { state: true },
    opened: { state: true },
    busy: { state: true },
    problem: { state: true },
    version: { state: true },
  };
  declare app: App;
  declare status: CronStatus | undefined;
  declare list: Jobs | undefined;
  /** A job that was asked for and is not among those listed. */
  declare named: Job | undefined;
  /** Names of channels, by id. */
  declare labels: Readonly<Record<string, string>>;
  declare query: string;
  declare offset: number;
  declare opened: ReadonlySet<string>;
  /** Ids of jobs to which something is being done. */
  declare busy: ReadonlySet<string>;
  declare problem: string;
  /** Counts the news, so that the calendar and the histories know when to look. */
  declare version: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #ticks = 0;
  #question = 0;

  constructor() {
    super();
    this.labels = {};
    this.query = '';
    this.offset = 0;
    this.opened = new Set();
    this.busy = new Set();
    this.problem = '';
    this.version = 0;
  }

  override connectedCallback(): void {
    this.watch(this.app.sessions.store);
    super.connectedCallback();
    this.addEventListener('job-chosen', this.#chosen);
    this.onLeave(
      this.app.whenConnected(() => void this.#all()),
      this.app.on(({ event }) => event === 'cron' && this.#loadSoon()),
    );
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    const linkedId = new URLSearchParams(location.search).get('id');
    if (linkedId) void this.#reveal(linkedId);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener('job-chosen', this.#chosen);
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    clearTimeout(this.#typing);
    this.#soon = undefined;
  }

  override render(): unknown {
    const { status, list } = this;
    if (!status || !list)
      return html`<div class="column wide pad"><p class="quiet">${this.problem || 'Loading jobs…'}</p></div>`;
    const none = status.jobs === 0 && list.total === 0 && !this.query;
    return html`<div class="column wide pad cron">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      ${
        status.problem
          ? html`<p class="strip bad"
        role="alert"><span><b>The jobs file is invalid.</b> ${status.problem} <code>${status.storePath}</code></span></p>`
          : nothing
      }
      ${
        status.enabled
          ? nothing
          : html`<p class="strip warn"
        role="status"><span><b>The scheduler is off: no job runs on its own.</b> To turn it on, set <code>cron.enabled: true</code> and remove <code>CLAWDBOT_SKIP_CRON</code> from the gateway’s environment.</span></p>`
      }
      ${this.#head(status)}
      ${
        none
          ? emptyCron({ start: (draft) => void this.#form({ draft }), mayChange: this.#mayChange })
          : html`
        ${this.#jobs(list)}
        <claw-cron-calendar .app=${this.app} .zone=${status.zone} .version=${this.version}
          .known=${list.jobs
            .filter(({ enabled }) => enabled)
            .flatMap(({ id, name, nextRunsAtMs }) =>
              nextRunsAtMs.map((atMs) => ({ jobId: id, name, atMs })),
            )}></claw-cron-calendar>`
      }
    </div>`;
  }

  get #mayChange(): boolean {
    const scopes = this.app.hello.get()?.auth?.scopes;
    return this.app.offers('cron.add') && (scopes === undefined || scopes.includes('operator.admin'));
  }

  #head(status: CronStatus): unknown {
    const mark = schedulerMark(status);
    const next = status.nextWakeAtMs;
    return html`<section class="cron-head" aria-label="Scheduler">
      <p class="cron-fact"><small>Scheduler</small><b class=${mark.tone}>${mark.words}</b></p>
      <p class="cron-fact"><small>Jobs</small><b>${status.enabledJobs} enabled</b> <span
        class="quiet">${status.jobs > status.enabledJobs ? `of ${status.jobs}` : ''}</span></p>
      <p class="cron-fact"><small>Next run</small>${
        next === null
          ? html`<b>none</b>`
          : html`<time
        datetime=${isoTime(next)} title=${exactTime(next, status.zone)}><b>${inTime(
          next,
          Date.now(),
          status.zone,
        )}</b> <span class="quiet">${dayAndTime(next, Date.now(), status.zone)}</span></time>`
      }</p>
      <span class="spacer"></span>
      ${
        this.#mayChange
          ? html`<button class="button primary" @click=${() => void this.#form({})}>${icon('plus')}New job</button>`
          : nothing
      }
    </section>`;
  }

  #jobs(list: Jobs): unknown {
    const shown =
      this.named && !list.jobs.some(({ id }) => id === this.named!.id) ? [this.named, ...list.jobs] : list.jobs;
    return html`<section class="jobs" aria-label="Jobs">
      <div class="bar jobs-bar"><h2>Jobs</h2><span class="spacer"></span><input class="field" type="search"
        placeholder="Search" aria-label="Search jobs" .value=${this.query} @input=${(event: Event) =>
          this.#search((event.target as HTMLInputElement).value)} /></div>
      ${shown.length === 0 ? html`<p class="quiet jobs-none">No results.</p>` : nothing}
      <ul class="job-list">${repeat(
        shown,
        ({ id }) => id,
        (job) => html`<li>${this.#card(job)}</li>`,
      )}</ul>
      ${list.total > PAGE ? this.#pager(list) : nothing}
    </section>`;
  }

  #pager({ jobs, total }: Jobs): unknown {
    const turn = (offset: number): void => {
      this.offset = offset;
      void this.#load().then(() => this.querySelector('.jobs')?.scrollIntoView({ block: 'start' }));
    };
    return html`<nav class="bar pager" aria-label="Pages of jobs"><span
      class="quiet">${this.offset + 1} to ${this.offset + jobs.length} of ${total.toLocaleString()}</span><span
      class="spacer"></span>
      <button class="button small" ?disabled=${this.offset === 0} @click=${() =>
        turn(Math.max(0, this.offset - PAGE))}>Previous</button>
      <button class="button small" ?disabled=${this.offset + PAGE >= total} @click=${() =>
        turn(this.offset + PAGE)}>Next</button></nav>`;
  }

  #card(job: Job): unknown {
    const { app } = this;
    return jobCard({
      app,
      job,
      zone: this.status!.zone,
      labels: this.labels,
      open: this.opened.has(job.id),
      busy: this.busy.has(job.id),
      version: this.version,
      mayChange: this.#mayChange,
      toggle: () => (this.opened = toggled(this.opened, job.id)),
      switchOn: (enabled) => void this.#during(job, () => switchJob(app, job, enabled)),
      run: () => void this.#during(job, () => runJob(app, job)),
      edit: () => void this.#edit(job),
      remove: () => void this.#during(job, () => removeJob(app, job)),
    });
  }

  /** Fetched when somebody wants it. */
  async #form(begin: { readonly job?: Job; readonly draft?: Partial<Draft> }): Promise<void> {
    const { openJobForm } = await import('./job-form.ts');
    openJobForm(this.app, begin).addEventListener(
      'job-saved',
      (event) => void this.#saved((event as CustomEvent<string | undefined>).detail),
    );
  }

  /** As it is now: somebody else may have changed it since it was listed. */
  async #edit({ id }: Job): Promise<void> {
    try {
      await this.#form({ job: await this.app.request('cron.get', { id }) });
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
  }

  async #saved(id: string | undefined): Promise<void> {
    await this.#load();
    if (id) await this.#reveal(id);
  }

  #chosen = (event: Event): void => void this.#reveal((event as CustomEvent<string>).detail);

  /** Opens a job and brings it into view, wherever in the list it stands. */
  async #reveal(id: string): Promise<void> {
    this.opened = new Set([...this.opened, id]);
    if (!this.list?.jobs.some((job) => job.id === id)) await this.#fetchNamed(id);
    await this.updateComplete;
    const card = this.querySelector<HTMLElement>(`#job-${CSS.escape(id)}`);
    card?.scrollIntoView({ block: 'nearest' });
    card?.querySelector<HTMLElement>('.job-head')?.focus({ preventScroll: true });
  }

  async #fetchNamed(id: string): Promise<void> {
    try {
      this.named = await this.app.request('cron.get', { id });
    } catch (cause) {
      if (!isDisconnected(cause)) toast(messageOf(cause), 'bad');
    }
  }

  /** Its switches rest until the answer is there. */
  async #during(job: Job, work: () => Promise<unknown>): Promise<void> {
    if (this.busy.has(job.id)) return;
    this.busy = new Set([...this.busy, job.id]);
    try {
      await work();
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
    this.busy = new Set([...this.busy].filter((id) => id !== job.id));
    await this.#load();
  }

  #search(query: string): void {
    this.query = query;
    this.offset = 0;
    this.named = undefined;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#load(), TYPING_MS);
  }

  #loadSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.version++;
      void this.#load();
    }, SOON_MS);
  }

  #tick(): void {
    if (document.hidden) return;
    this.#ticks = (this.#ticks + 1) % FAR_TICKS;
    const next = this.status?.nextWakeAtMs;
    if (this.#ticks === 0 || (next !== null && next !== undefined && next - Date.now() < CLOSE_MS))
      this.requestUpdate();
  }

  async #all(): Promise<void> {
    this.version++;
    await Promise.all([this.#load(), this.#labels()]);
  }

  async #load(): Promise<void> {
    const { app, query, offset, named: before } = this;
    const question = ++this.#question;
    try {
      const [status, list, named] = await Promise.all([
        app.request('cron.status', {}),
        app.request('cron.list', {
          includeDisabled: true,
          limit: PAGE,
          offset,
          sortBy: 'nextRunAtMs',
          ...(query.trim() ? { query: query.trim() } : {}),
        }),
        before ? app.request('cron.get', { id: before.id }).catch(goneIsNone) : undefined,
      ]);
      if (question !== this.#question) return;
      Object.assign(this, { status, list, problem: '', ...(before === this.named ? { named } : {}) });
      // The last job of a page was removed.
      if (list.jobs.length > 0 || offset === 0) return;
      this.offset = Math.max(0, offset - PAGE);
      await this.#load();
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }

  async #labels(): Promise<void> {
    try {
      this.labels = (await this.app.request('channels.status', {})).channelLabels;
    } catch (cause) {
      console.info('Channels go by their ids.', cause);
    }
  }
}

function goneIsNone(cause: unknown): undefined {
  if (cause instanceof RequestError && !isDisconnected(cause)) return undefined;
  throw cause;
}

const toggled = (opened: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set(opened.has(id) ? [...opened].filter((one) => one !== id) : [...opened, id]);

customElements.define('claw-cron', CronPage);
