/** `<claw-job-form>`: a dialog that makes a job or changes one. */
import { html, nothing } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { icon } from '../../../../ui/src/elements/icons.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import type { Job, JobSchedule } from './wire.ts';
import { messageOf } from '../../../../ui/src/gateway/requests.ts';
import { inTime } from '../../../../ui/src/pages/coming-times.ts';
import { browserZone } from './calendar-days.ts';
import { choicesOf, NO_CHOICES, type Choices } from './form-choices.ts';
import { deliverFields, moreFields, placeFields } from './form-fields.ts';
import {
  draftOf,
  EMPTY_DRAFT,
  newJob,
  patchOf,
  placeOf,
  problemsOf,
  sayPlainly,
  type Draft,
  type Place,
} from './job-draft.ts';
import './when-field.ts';
import type { WhenField, WhenRead } from './when-field.ts';

export class JobForm extends LightElement {
  static override properties = {
    draft: { state: true },
    choices: { state: true },
    problems: { state: true },
    failure: { state: true },
    saving: { state: true },
  };
  declare app: App;
  /** The job to change; absent for a new one. */
  declare job: Job | undefined;
  declare draft: Draft;
  declare choices: Choices;
  declare problems: Partial<Record<Place, string>>;
  /** What fits no field. */
  declare failure: string;
  declare saving: boolean;
  #before: Draft = EMPTY_DRAFT;
  #schedule: JobSchedule | undefined;

  constructor() {
    super();
    this.draft = EMPTY_DRAFT;
    this.choices = NO_CHOICES;
    this.problems = {};
    this.failure = '';
    this.saving = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.job) this.draft = draftOf(this.job);
    this.#before = this.draft;
    void choicesOf(this.app).then((choices) => (this.choices = choices));
  }

  override firstUpdated(): void {
    this.#dialog.showModal();
    // The field draws itself a moment later than this dialog.
    void this.querySelector<WhenField>('claw-when')!.updateComplete.then(() =>
      this.querySelector<HTMLInputElement>('#job-when')?.focus(),
    );
  }

  override render(): unknown {
    const { draft, problems, job } = this;
    const change = (part: Partial<Draft>): void => this.#change(part);
    return html`<dialog class="dialog wide job-form" aria-labelledby="job-form-title" @close=${() => this.remove()}
      @cancel=${(event: Event) => this.#leave(event)}>
      <form novalidate @submit=${(event: Event) => void this.#save(event)}>
        <header class="dialog-head"><h2 id="job-form-title">${
          job ? html`Edit <bdi>${job.name}</bdi>` : 'New job'
        }</h2><button type="button" class="ghost" aria-label="Close" @click=${() =>
          this.#dialog.close()}>${icon('close')}</button></header>
        <claw-when .app=${this.app} .text=${draft.when} .kept=${job?.schedule} .problem=${problems.when}
          @when-read=${(event: CustomEvent<WhenRead>) => this.#onEvent(event.detail)}></claw-when>
        <label class="form-label" for="job-message">Task</label>
        <textarea id="job-message" class="field ${problems.message ? 'wrong' : ''}" rows="4" maxlength="20000"
          placeholder=${draft.place === 'main' ? 'Remind me to water the plants' : 'Summarise my calendar for today'}
          .value=${draft.message} aria-invalid=${problems.message ? 'true' : 'false'}
          aria-describedby="job-message-problem" @input=${(event: Event) =>
            change({ message: (event.target as HTMLTextAreaElement).value })}></textarea>
        <p class="form-problem" id="job-message-problem">${problems.message ?? nothing}</p>
        ${placeFields({ draft, problems, choices: this.choices, change })}
        ${draft.place === 'main' ? nothing : deliverFields({ draft, problems, choices: this.choices, change })}
        ${moreFields({
          draft,
          problems,
          choices: this.choices,
          change,
          once: this.#schedule?.kind === 'at' || (this.#schedule === undefined && job?.schedule.kind === 'at'),
        })}
        ${this.failure ? html`<p class="form-failure" role="alert">${this.failure}</p>` : nothing}
        <div class="dialog-actions"><button type="button" class="button" @click=${() =>
          this.#dialog.close()}>Cancel</button>
          <button type="submit" class="button primary" ?disabled=${this.saving}>${
            this.saving ? 'Saving…' : job ? 'Save' : 'Add job'
          }</button></div>
      </form>
    </dialog>`;
  }

  get #dialog(): HTMLDialogElement {
    return this.querySelector('dialog')!;
  }

  #onEvent({ text, schedule }: WhenRead): void {
    this.#schedule = schedule;
    this.#change({ when: text });
  }

  #change(part: Partial<Draft>): void {
    this.draft = { ...this.draft, ...part };
    const { when: _when, ...rest } = this.problems;
    // A field that is being repaired is not scolded any longer.
    this.problems = 'when' in part ? rest : without(this.problems, part);
  }

  /** Escape does not throw away what somebody wrote. */
  #leave(event: Event): void {
    if (this.draft.message !== this.#before.message && this.draft.message.trim().length > 20) event.preventDefault();
  }

  async #save(event: Event): Promise<void> {
    event.preventDefault();
    if (this.saving) return;
    this.failure = '';
    this.problems = problemsOf(this.draft);
    if (Object.keys(this.problems).length > 0) return this.#showProblem();
    this.saving = true;
    try {
      await this.#send();
    } catch (cause) {
      this.#refused(cause);
    } finally {
      this.saving = false;
    }
  }

  async #send(): Promise<void> {
    const { app, job } = this;
    const patch = job ? patchOf(this.#before, this.draft, this.#schedule) : undefined;
    if (job && !patch) return this.#dialog.close();
    const saved = job
      ? await app.request('cron.update', { id: job.id, patch })
      : await app.request('cron.add', newJob(this.draft, this.#schedule));
    const next = saved?.nextRunsAtMs?.[0] ?? saved?.state?.nextRunAtMs;
    toast(next === undefined ? 'Saved' : `Saved. Next run ${inTime(next, Date.now(), saved?.zone ?? browserZone())}`);
    this.dispatchEvent(new CustomEvent('job-saved', { detail: saved?.id ?? job?.id, bubbles: true }));
    this.#dialog.close();
  }

  #refused(cause: unknown): void {
    const message = messageOf(cause);
    const details = (cause as { details?: { field?: string; path?: string } }).details;
    const place = placeOf({ message, field: details?.field ?? details?.path });
    if (place) this.problems = { [place]: sayPlainly(message) };
    else this.failure = message;
    this.#showProblem();
  }

  #showProblem(): void {
    void this.updateComplete.then(() => {
      const wrong = this.querySelector<HTMLElement>('.field.wrong') ?? this.querySelector<HTMLElement>('.form-failure');
      wrong?.closest('details')?.setAttribute('open', '');
      wrong?.scrollIntoView({ block: 'nearest' });
      wrong?.focus();
    });
  }
}

const BELONGS: Readonly<Partial<Record<keyof Draft, Place>>> = {
  message: 'message',
  name: 'name',
  place: 'place',
  sessionKey: 'place',
  deliver: 'deliver',
  to: 'deliver',
  accountId: 'deliver',
  model: 'model',
  thinking: 'thinking',
  timeoutSeconds: 'timeoutSeconds',
  missed: 'missed',
  maxAgeHours: 'missed',
  agentId: 'agentId',
};

function without(problems: Partial<Record<Place, string>>, part: Partial<Draft>): Partial<Record<Place, string>> {
  const repaired = new Set(Object.keys(part).map((key) => BELONGS[key as keyof Draft]));
  return Object.fromEntries(Object.entries(problems).filter(([place]) => !repaired.has(place as Place)));
}

/** `draft`: what the form begins with, for a new job. */
export function openJobForm(
  app: App,
  { job, draft }: { readonly job?: Job; readonly draft?: Partial<Draft> } = {},
): JobForm {
  const form = Object.assign(document.createElement('claw-job-form') as JobForm, {
    app,
    job,
    ...(draft ? { draft: { ...EMPTY_DRAFT, ...draft } } : {}),
  });
  document.body.append(form);
  return form;
}

customElements.define('claw-job-form', JobForm);
