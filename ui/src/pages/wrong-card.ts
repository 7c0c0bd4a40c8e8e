/** `<claw-wrong>`: what went wrong since the person last visited the overview. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { ago, exactTime } from '../elements/times.ts';
import { isDisconnected } from '../gateway/requests.ts';
import { visible } from '../tools/visible-view.ts';
import { lastVisit, noteVisit } from './last-visit.ts';
import { tellsOfWrong, wrongSince, type WrongThing } from './wrongs.ts';

const FIRST_SHOWN = 5;
const MAX_SHOWN = 100;
const SOON_MS = 500;

/** `14:03`, `Fri`, `5 min ago`: as it stands after `since`. */
const sinceWords = (at: number): string => ago(at, Date.now()).replace(/^(?:at|on) /, '');

export class WrongCard extends LightElement {
  static override properties = { app: { attribute: false }, things: { state: true }, all: { state: true } };
  declare app: App;
  /** Undefined until the gateway has said. */
  declare things: readonly WrongThing[] | undefined;
  declare all: boolean;
  /** Stays what it is while the page is open: what is read there is not taken away under one's eyes. */
  #since = 0;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.all = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#since = lastVisit(this.app.gatewayUrl, Date.now());
    const visit = (): void => noteVisit(this.app.gatewayUrl, Date.now());
    addEventListener('pagehide', visit);
    this.onLeave(
      this.app.whenConnected(() => void this.#load()),
      this.app.on(({ event }) => tellsOfWrong(event) && this.#loadSoon()),
      () => {
        removeEventListener('pagehide', visit);
        // What nobody could see yet is news still.
        if (this.things !== undefined) visit();
      },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#soon);
    this.#soon = undefined;
  }

  override render(): unknown {
    const { things } = this;
    if (things === undefined) return nothing;
    const shown = things.slice(0, this.all ? MAX_SHOWN : FIRST_SHOWN);
    const when = html`<time title=${exactTime(this.#since)}>${sinceWords(this.#since)}</time>`;
    return html`<section class="card now" aria-labelledby="wrong-title"><h2 id="wrong-title">Went wrong since your last
        visit</h2>
      ${
        things.length === 0
          ? html`<p class="quiet now-none">${icon('check')}<span>Nothing since ${when}.</span></p>`
          : html`<ul class="rows">${shown.map((thing) => this.#line(thing))}</ul>`
      }
      ${
        things.length > shown.length && !this.all
          ? html`<button class="button small" @click=${() =>
              (this.all = true)}>Show all ${things.length.toLocaleString()}</button>`
          : nothing
      }</section>`;
  }

  #line({ icon: mark, words, reason, at, more }: WrongThing): TemplateResult {
    return html`<li class="row now-line bad">${icon(mark)}<span>${visible(words.slice(0, 200))} <small>${visible(
      reason.slice(0, 300),
    )} · <time title=${exactTime(at)}>${ago(at, Date.now())}</time></small></span><span class="row-actions"><button
      class="button small" @click=${() =>
        'page' in more ? this.app.go(more.page) : void this.#timeline(more.runId)}>${
        'page' in more ? 'Open' : 'Timeline'
      }</button></span></li>`;
  }

  async #timeline(runId: string): Promise<void> {
    const { showTimeline } = await import('../chat/timeline-dialog.ts');
    await showTimeline(() => this.app.request('chat.timeline', { runId }));
  }

  #loadSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.#load();
    }, SOON_MS);
  }

  /** Whoever may not see one of them is shown the others. */
  async #load(): Promise<void> {
    this.things = await wrongSince(this.app, this.#since, (answer) =>
      answer.catch((cause: unknown) => {
        if (!isDisconnected(cause)) console.info('Not shown on the overview.', cause);
        return undefined;
      }),
    );
  }
}

customElements.define('claw-wrong', WrongCard);
