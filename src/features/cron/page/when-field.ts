/**
 * `<claw-when>`: a field for a time in words, with what was understood and the next three instants below it, as one
 * types.
 */
import { html } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { exactTime } from '../../../../ui/src/elements/times.ts';
import type { JobSchedule, Preview } from './wire.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import { dayAndTime, inTime, isoTime } from '../../../../ui/src/pages/coming-times.ts';
import { browserZone } from './calendar-days.ts';
import { sayPlainly } from './job-draft.ts';

/** As long as a pause between two words. */
const PAUSE_MS = 250;
const INSTANTS = 3;
const IDEAS = ['in 20 minutes', 'tomorrow 9:00', 'every weekday at 7:00', 'every 2 hours'];

type Understood =
  | { readonly state: 'empty' | 'asking' }
  | { readonly state: 'read'; readonly preview: Preview }
  | { readonly state: 'refused'; readonly message: string };

/** What the form is told: the words, and how the gateway reads them once it did. */
export interface WhenRead {
  readonly text: string;
  readonly schedule?: JobSchedule | undefined;
}

export class WhenField extends LightElement {
  static override properties = {
    app: { attribute: false },
    text: { attribute: false },
    kept: { attribute: false },
    problem: { attribute: false },
    understood: { state: true },
  };
  declare app: App;
  declare text: string;
  /** The schedule that `text` stands for when the form opens. */
  declare kept: JobSchedule | undefined;
  /** What saving said about it. */
  declare problem: string | undefined;
  declare understood: Understood;
  #initial: string | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #question = 0;

  constructor() {
    super();
    this.text = '';
    this.understood = { state: 'empty' };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#initial ??= this.text;
    if (this.text.trim()) void this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#pause);
    this.#question++;
  }

  override render(): unknown {
    const refused = this.problem ?? (this.understood.state === 'refused' ? this.understood.message : undefined);
    return html`<label class="form-label" for="job-when">When</label>
      <input id="job-when" class="field ${refused ? 'wrong' : ''}" autocomplete="off" autocapitalize="off"
        spellcheck="false" maxlength="200" placeholder="every weekday at 7:00" .value=${this.text}
        aria-invalid=${refused ? 'true' : 'false'} aria-describedby="job-when-read" @input=${(event: Event) =>
          this.#type((event.target as HTMLInputElement).value)} />
      <div class="when-read" id="job-when-read" aria-live="polite">${
        refused
          ? html`<p
        class="form-problem">${refused}</p>`
          : this.#reading()
      }</div>`;
  }

  #reading(): unknown {
    const { understood } = this;
    if (understood.state === 'read') return reading(understood.preview);
    if (understood.state === 'asking') return html`<p class="quiet">Reading…</p>`;
    return html`<p class="quiet">Use words or a cron expression.</p><p class="ideas">${IDEAS.map(
      (idea) => html`<button
      type="button" class="idea" @click=${() => this.#type(idea)}>${idea}</button>`,
    )}</p>`;
  }

  #type(text: string): void {
    this.text = text;
    this.problem = undefined;
    clearTimeout(this.#pause);
    this.#question++;
    this.#emit();
    if (!text.trim()) this.understood = { state: 'empty' };
    else this.#pause = setTimeout(() => void this.#ask(), PAUSE_MS);
  }

  async #ask(): Promise<void> {
    const question = ++this.#question;
    if (this.understood.state === 'empty') this.understood = { state: 'asking' };
    const text = this.text === this.#initial && this.kept ? plain(this.kept) : this.text.trim();
    const understood = await this.#understand(text);
    if (question !== this.#question || !understood) return;
    this.understood = understood;
    this.#emit(understood.state === 'read' ? understood.preview.schedule : undefined);
  }

  async #understand(schedule: JobSchedule | string): Promise<Understood | undefined> {
    try {
      return { state: 'read', preview: await this.app.request('cron.preview', { schedule, count: INSTANTS }) };
    } catch (cause) {
      return isDisconnected(cause) ? undefined : { state: 'refused', message: sayPlainly(messageOf(cause)) };
    }
  }

  #emit(schedule?: JobSchedule): void {
    this.dispatchEvent(new CustomEvent<WhenRead>('when-read', { detail: { text: this.text, schedule } }));
  }
}

/** The wire says an instant twice, and a schedule is given once. */
const plain = (schedule: JobSchedule): JobSchedule =>
  schedule.kind === 'at' ? { kind: 'at', atMs: schedule.atMs } : schedule;

function reading({ when, nextRunsAtMs, zone = browserZone() }: Preview): unknown {
  const now = Date.now();
  return html`<p class="when-words">${when}</p>
    ${
      nextRunsAtMs.length === 0
        ? html`<p class="form-problem">This schedule never runs.</p>`
        : html`<ol
      class="instants">${nextRunsAtMs.map(
        (at) =>
          html`<li><time datetime=${isoTime(at)} title=${exactTime(
            at,
            zone,
          )}>${dayAndTime(at, now, zone)}</time><small>${inTime(at, now, zone)}</small></li>`,
      )}</ol>`
    }`;
}

customElements.define('claw-when', WhenField);
