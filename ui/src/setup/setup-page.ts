/** `<claw-setup>`: the first run: connects a model and a first channel, and shows pairing requests. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import '../channels/channel-setup.ts';
import '../channels/pairing-strip.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { isOffline } from '../gateway/health.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import type { ChannelOffer } from '../gateway/wire.ts';
import './setup.css';

/** `<claw-model-setup>`, if a feature has it: `page/model-setup.ts` in its folder. */
import.meta.glob('../../../src/features/*/page/model-setup.ts', { eager: true });

export class SetupPage extends LightElement {
  static override properties = {
    offers: { state: true },
    chosen: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare offers: readonly ChannelOffer[];
  declare chosen: string;
  declare problem: string;
  #leave: (() => void) | undefined;

  constructor() {
    super();
    this.offers = [];
    this.chosen = '';
    this.problem = '';
  }

  override connectedCallback(): void {
    this.watch(this.app.health);
    super.connectedCallback();
    this.#leave = this.app.whenConnected(() => void this.#load());
    this.addEventListener('channel-ready', () => void this.#load());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  override render(): unknown {
    const health = this.app.health.get();
    const hasModel = health.model !== undefined && !isOffline(health);
    const connected = this.offers.filter(({ configured }) => configured);
    return html`<div class="column wide pad setup">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      ${step(
        { number: 1, title: 'Connect a model', done: hasModel },
        html`<p class="quiet">${
          hasModel
            ? html`<b>${health.model!.provider}/${health.model!.model}</b> answers your messages.
              Choose a provider to change it.`
            : 'Choose who answers your messages. You need an API key, or a model server on this machine such as Ollama.'
        }</p>${
          this.app.offers('models.providers')
            ? html`<claw-model-setup .app=${this.app}></claw-model-setup>`
            : html`<p>Set <code>agents.defaults.model.primary</code> in the configuration.</p>`
        }`,
      )}
      ${step(
        { number: 2, title: 'Connect a channel', done: connected.length > 0 },
        html`<p class="quiet">${
          connected.length > 0
            ? `Connected: ${connected.map(({ label }) => label).join(', ')}. You can add another.`
            : 'Optional. You can always chat in this page; a channel lets you write from your phone.'
        }</p>${this.#channels()}`,
      )}
      ${step(
        { number: 3, title: 'Say who may write', done: false },
        html`<p class="quiet">When somebody new writes to your bot, the request appears here and you approve it. Until
          then the agent does not see the message.</p><claw-pairing .app=${this.app}></claw-pairing>`,
      )}
      <div class="form-actions"><button class="button ${hasModel ? 'primary' : ''}" @click=${() =>
        this.app.go('chat')}>${hasModel ? 'Start chatting' : 'Skip and chat with the offline helper'}</button></div>
    </div>`;
  }

  #channels(): TemplateResult {
    const offer = this.offers.find(({ id }) => id === this.chosen);
    return html`<div class="provider-choices">${this.offers.map(
      ({ id, label, blurb, configured }) =>
        html`<button class="provider-choice" aria-pressed=${
          id === this.chosen ? 'true' : 'false'
        } @click=${() => (this.chosen = id === this.chosen ? '' : id)}><b>${label}</b><small>${
          configured ? 'Configured' : (blurb ?? '')
        }</small></button>`,
    )}</div>${offer ? html`<claw-channel-setup .app=${this.app} .offer=${offer}></claw-channel-setup>` : nothing}`;
  }

  async #load(): Promise<void> {
    try {
      this.offers = (await this.app.request('channels.capabilities', {})).channels;
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

const step = (
  { number, title, done }: { readonly number: number; readonly title: string; readonly done: boolean },
  content: unknown,
): TemplateResult => html`<section class="card setup-step ${done ? 'done' : ''}" aria-labelledby="step-${number}">
  <h2 id="step-${number}"><span class="step-mark">${done ? icon('check') : number}</span>${title}${
    done ? html`<span class="offscreen"> (done)</span>` : nothing
  }</h2>${content}</section>`;

customElements.define('claw-setup', SetupPage);
