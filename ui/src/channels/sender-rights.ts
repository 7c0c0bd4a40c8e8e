/**
 * `<claw-sender-rights>`: shows for each action whether a sender may do it through the agent, and why. It queries the
 * gateway and sends nothing.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import type { AccessAnswer, AccessExplained, AccessExtent } from '../gateway/wire.ts';
import { messageOf } from '../gateway/requests.ts';
import { visible } from '../tools/visible-view.ts';

const EXTENT: Readonly<Record<AccessExtent['reach'], { readonly tone: string; readonly words: string }>> = {
  everywhere: { tone: 'good', words: 'everywhere' },
  own: { tone: 'own', words: 'of their own conversation' },
  nowhere: { tone: 'none', words: 'never' },
};

export class SenderRightsView extends LightElement {
  static override properties = {
    app: { attribute: false },
    labels: { attribute: false },
    explained: { state: true },
    chosen: { state: true },
    problem: { state: true },
    busy: { state: true },
  };
  declare app: App;
  /** Names of the channels on which somebody may write. */
  declare labels: Readonly<Record<string, string>>;
  declare explained: AccessExplained | undefined;
  /** The action that is explained below the table. */
  declare chosen: AccessExtent | undefined;
  declare problem: string;
  declare busy: boolean;

  constructor() {
    super();
    this.labels = {};
    this.problem = '';
    this.busy = false;
  }

  override render(): unknown {
    return html`<section class="card sender-rights" aria-label="Check access"><h2>Check access</h2>
      <p class="small quiet">Shows what a sender may do through the agent, and why. Nothing is sent.</p>
      <form @submit=${(event: Event) => this.#submit(event)}>
        <select class="field" name="channel" aria-label="Channel">${Object.entries(this.labels).map(
          ([id, label]) => html`<option value=${id}>${label}</option>`,
        )}</select>
        <input class="field" name="sender" aria-label="Sender" placeholder="Sender id, from /whoami" maxlength="128"
          autocomplete="off" required />
        <button class="button" ?disabled=${this.busy}>Check</button>
      </form>
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      <div aria-live="polite">${this.explained ? this.#result(this.explained) : nothing}</div></section>`;
  }

  #result({ requester, reaches, allowed, reason, acts }: AccessExplained): TemplateResult {
    const kinds = [...new Set(reaches.map(({ kind }) => kind))];
    return html`<p class="who-asks"><b>${visible(requester.ids.join(', ') || 'Nobody')}</b> <span
      class="who-standing">${requester.standing}</span>
        <small>in ${requester.sessionKey}${
          requester.rights.length > 0 ? ` · rights: ${requester.rights.join(', ')}` : ''
        }</small>
        ${allowed ? nothing : html`<small class="who-refused">${reason}</small>`}</p>
      <ul class="who-legend small" aria-hidden="true">${Object.values(EXTENT).map(
        ({ tone, words }) => html`<li><i
        class="who-dot ${tone}"></i>${words}</li>`,
      )}</ul>
      <dl class="who-table">${kinds.map(
        (kind) =>
          html`<div><dt>${kind.replaceAll(
            '-',
            ' ',
          )}</dt><dd>${reaches.filter((one) => one.kind === kind).map((one) => this.#act(one))}</dd></div>`,
      )}</dl>
      ${acts ? html`<div class="who-why">${acts.map(why)}</div>` : nothing}`;
  }

  #act(extent: AccessExtent): TemplateResult {
    const { tone, words } = EXTENT[extent.reach];
    const pressed = this.chosen?.kind === extent.kind && this.chosen.verb === extent.verb;
    return html`<button class="who-act ${tone}" aria-pressed=${pressed ? 'true' : 'false'}
      title=${`${extent.means}: ${words}`} @click=${() =>
        void this.#ask(
          { verb: extent.verb, resource: extent.kind },
          extent,
        )}>${extent.verb}<span class="offscreen">: ${words}</span></button>`;
  }

  #submit(event: Event): void {
    event.preventDefault();
    void this.#ask({});
  }

  async #ask(act: { readonly verb?: string; readonly resource?: string }, chosen?: AccessExtent): Promise<void> {
    const form = this.querySelector('form')!;
    const written = (name: string): string => (form.elements.namedItem(name) as HTMLInputElement).value.trim();
    const [channel, senderId] = [written('channel'), written('sender')];
    this.busy = true;
    try {
      this.explained = await this.app.request('access.explain', { channel, senderId, ...act });
      this.chosen = chosen;
      this.problem = '';
    } catch (cause) {
      this.problem = messageOf(cause);
    }
    this.busy = false;
  }
}

const why = ({
  ok,
  verb,
  kind,
  means,
  thing,
  steps,
  changes,
}: AccessAnswer): TemplateResult => html`<article class=${ok ? 'good' : 'bad'}>
  <h3>${ok ? 'Yes' : 'No'}: ${verb} ${kind.replaceAll('-', ' ')}, ${visible(thing)}</h3><p
    class="small quiet">${means}</p>
  <ul>${steps.map(
    (step) =>
      html`<li>${icon(step.ok ? 'check' : 'close')}<span>${visible(step.detail)}${
        step.setting ? html` <code>${step.setting}</code>` : nothing
      }</span></li>`,
  )}</ul>
  ${
    changes.length > 0
      ? html`<p class="small">To change this:</p><ul class="who-changes">${changes.map(
          (change) => html`<li>${visible(change)}</li>`,
        )}</ul>`
      : nothing
  }</article>`;

customElements.define('claw-sender-rights', SenderRightsView);
