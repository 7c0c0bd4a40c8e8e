/** `<claw-model-setup>`: chooses a provider and a model, saves the key, and tests whether the model answers. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { icon } from '../../../../ui/src/elements/icons.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import { saveConfig } from '../../../../ui/src/gateway/save-config.ts';
import type { Answers } from '../../../protocol/answers.ts';
import '../../../../ui/src/models/models.css';

type Tested = Answers['models.test'];
type Provider = Answers['models.providers']['providers'][number];
/** A server that no provider of the list stands for. */
const OWN = 'own';
const TEST_MS = 65_000;
const OWN_ID = /^[a-z0-9][a-z0-9-]{0,39}$/;

export class ModelSetup extends LightElement {
  static override properties = {
    app: { attribute: false },
    providers: { state: true },
    chosen: { state: true },
    busy: { state: true },
    tested: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare providers: readonly Provider[] | undefined;
  declare chosen: string;
  declare busy: '' | 'saving' | 'testing';
  declare tested: Tested | undefined;
  declare problem: string;
  #leave: (() => void) | undefined;

  constructor() {
    super();
    this.chosen = '';
    this.busy = '';
    this.problem = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#leave = this.app.whenConnected(() => void this.load());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  override render(): unknown {
    const { providers } = this;
    if (!providers) return html`<p class="quiet" role="status">${this.problem || 'Looking for providers…'}</p>`;
    const provider = providers.find(({ id }) => id === this.chosen);
    return html`<div class="provider-choices" role="radiogroup" aria-label="Provider">
        ${providers.map((one) => this.#choice(one.id, one.label, statusOf(one)))}
        ${this.#choice(OWN, 'Other server', 'Any OpenAI-compatible address')}
      </div>
      ${provider || this.chosen === OWN ? this.#form(provider) : nothing}
      <div aria-live="polite">${this.#outcome()}</div>`;
  }

  #choice(id: string, label: string, status: string): TemplateResult {
    const checked = this.chosen === id;
    return html`<button type="button" role="radio" class="provider-choice" aria-checked=${checked ? 'true' : 'false'}
      tabindex=${checked || (this.chosen === '' && id === this.providers?.[0]?.id) ? '0' : '-1'}
      @keydown=${(event: KeyboardEvent) => this.#steer(event)}
      @click=${() => this.#choose(id)}><b>${label}</b><small>${status}</small></button>`;
  }

  #form(provider: Provider | undefined): TemplateResult {
    const needsKey = provider?.key === 'missing';
    return html`<form class="setup-form" autocomplete="off" @submit=${(event: Event) => this.#submit(event)}>
      ${
        provider
          ? nothing
          : html`<label>Name<input class="field" name="id" value="local" required maxlength="40"
            pattern="[a-z0-9][a-z0-9\\-]*" title="Lower-case letters, digits and dashes" /></label>
          <label>Address<input class="field" name="baseUrl" type="url" required
            placeholder="http://127.0.0.1:1234/v1" /></label>`
      }
      ${
        provider?.key === 'not needed'
          ? nothing
          : html`<label>${needsKey ? 'API key' : provider ? 'New API key (optional)' : 'API key (if it needs one)'}
            <input class="field mono" name="key" type="password" autocomplete="off" spellcheck="false"
              ?required=${needsKey} placeholder=${needsKey ? 'Paste the key' : 'Leave empty to keep the current one'} />
            <small class="quiet">Stored in the gateway’s configuration file. It is not shown again.</small></label>`
      }
      <label>Model<input class="field" name="model" required list="setup-models" spellcheck="false"
        .defaultValue=${provider?.defaultModel ?? ''} placeholder="Model id" />
        <datalist id="setup-models">${(provider?.models ?? []).map(
          ({ id, name }) => html`<option value=${id}>${name}</option>`,
        )}</datalist></label>
      <div class="form-actions"><button class="button primary" ?disabled=${this.busy !== ''}>${
        this.busy === 'saving' ? 'Saving…' : this.busy === 'testing' ? 'Waiting for an answer…' : 'Save and test'
      }</button></div>
    </form>`;
  }

  #outcome(): unknown {
    if (this.problem) return html`<p class="strip bad" role="alert">${icon('warn')}<span>${this.problem}</span></p>`;
    if (!this.tested) return nothing;
    const { tested } = this;
    return tested.ok
      ? html`<p class="strip good">${icon('check')}<span>The model answered in ${(tested.ms / 1000).toFixed(1)} s${
          tested.text ? html`: “${tested.text}”` : '.'
        }</span></p>`
      : html`<p class="strip bad" role="alert">${icon('warn')}<span>Saved, but the test failed: ${
          tested.problem
        } Correct the key or the model and try again.</span></p>`;
  }

  /** Arrow keys move within a group of radio buttons. */
  #steer(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const choices = [...this.querySelectorAll<HTMLElement>('.provider-choice')];
    const next = choices.at((choices.indexOf(event.currentTarget as HTMLElement) + step) % choices.length);
    next?.click();
    next?.focus();
  }

  #choose(id: string): void {
    if (id !== this.chosen) this.querySelector('form')?.reset();
    this.chosen = id;
    this.problem = '';
    this.tested = undefined;
  }

  override updated(changed: Map<string, unknown>): void {
    // A field that was rendered for another provider keeps its value otherwise.
    if (changed.has('chosen')) this.querySelector('form')?.reset();
  }

  async load(): Promise<void> {
    try {
      this.providers = (await this.app.request('models.providers')).providers;
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }

  #submit(event: Event): void {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = (name: string): string =>
      (form.elements.namedItem(name) as HTMLInputElement | null)?.value.trim() ?? '';
    const id = this.chosen === OWN ? field('id') : this.chosen;
    void this.#save(form, { id, baseUrl: field('baseUrl'), key: field('key'), model: field('model') });
  }

  async #save(
    form: HTMLFormElement,
    { id, baseUrl, key, model }: { id: string; baseUrl: string; key: string; model: string },
  ): Promise<void> {
    this.problem = '';
    this.tested = undefined;
    if (!OWN_ID.test(id)) {
      this.problem = `The name “${id}” is not valid: use letters, digits and dashes.`;
      return;
    }
    this.busy = 'saving';
    try {
      const provider = {
        ...(key ? { apiKey: key } : {}),
        ...(baseUrl ? { baseUrl, models: [{ id: model }] } : {}),
      };
      await saveConfig(this.app, {
        ...(Object.keys(provider).length > 0 ? { models: { providers: { [id]: provider } } } : {}),
        agents: { defaults: { model: { primary: `${id}/${model}` } } },
      });
      const keyField = form.elements.namedItem('key') as HTMLInputElement | null;
      if (keyField) keyField.value = '';
      this.busy = 'testing';
      this.tested = await this.app.request('models.test', { model: `${id}/${model}` }, { timeoutMs: TEST_MS });
      if (this.tested.ok) this.dispatchEvent(new CustomEvent('model-ready', { bubbles: true }));
      await Promise.all([this.load(), this.app.refreshHealth()]);
    } catch (cause) {
      this.problem = `Not saved: ${messageOf(cause)}`;
    } finally {
      this.busy = '';
    }
  }
}

const statusOf = ({ id, key, envKeys, models }: Provider): string =>
  id === 'ollama'
    ? models.length > 0
      ? `Found on this machine: ${models.length} ${models.length === 1 ? 'model' : 'models'}`
      : 'Not running on this machine'
    : key === 'config'
      ? 'Key saved'
      : key === 'environment'
        ? `Key in ${envKeys[0] ?? 'the environment'}`
        : key === 'missing'
          ? 'Needs an API key'
          : 'Configured';

customElements.define('claw-model-setup', ModelSetup);
