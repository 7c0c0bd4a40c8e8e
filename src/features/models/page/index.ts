/** `<claw-models>`: shows the models, the current one and its fallbacks, and tests whether a model answers. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { thousands } from '../../../../ui/src/elements/times.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import { saveConfig } from '../../../../ui/src/gateway/save-config.ts';
import type { Answers } from '../../../protocol/answers.ts';
import './model-setup.ts';
import './models-page.css';

type Model = Answers['models.list']['models'][number];
type Tested = Answers['models.test'];

const TEST_MS = 65_000;
const SHOWN = 60;

export class ModelsPage extends LightElement {
  static override properties = {
    models: { state: true },
    primary: { state: true },
    fallbacks: { state: true },
    tested: { state: true },
    query: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare models: readonly Model[] | undefined;
  /** As the configuration says it; empty: the gateway chooses. */
  declare primary: string;
  declare fallbacks: readonly string[];
  /** By model; undefined while it is asked. */
  declare tested: ReadonlyMap<string, Tested | undefined>;
  declare query: string;
  declare problem: string;
  #leave: (() => void) | undefined;

  constructor() {
    super();
    this.primary = '';
    this.fallbacks = [];
    this.tested = new Map();
    this.query = '';
    this.problem = '';
  }

  override connectedCallback(): void {
    this.watch(this.app.health);
    super.connectedCallback();
    this.addEventListener('model-ready', () => void this.#load());
    this.#leave = this.app.whenConnected(() => void this.#load());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  override render(): unknown {
    const { model } = this.app.health.get();
    return html`<div class="column wide pad">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      <section class="card" aria-labelledby="order-title"><h2 id="order-title">Who answers</h2>
        <ol class="model-order"><li><b>${this.primary || (model ? `${model.provider}/${model.model}` : '–')}</b>
          <small>${this.primary ? 'first choice' : `chosen by the gateway: ${model?.source ?? 'offline'}`}</small></li>
          ${this.fallbacks.map(
            (name, index) => html`<li><b>${name}</b> <small>if the ones above fail</small><span class="row-actions">
            <button class="button small" ?disabled=${index === 0} @click=${() =>
              void this.#order(moved(this.fallbacks, index))}>Move up<span class="offscreen"> ${name}</span></button>
            <button class="button small" @click=${() =>
              void this.#order(this.fallbacks.filter((one) => one !== name))}>Remove<span
              class="offscreen"> ${name}</span></button></span></li>`,
          )}</ol></section>
      <section class="card" aria-labelledby="connect-title"><h2 id="connect-title">Connect a provider</h2>
        <claw-model-setup .app=${this.app}></claw-model-setup></section>
      <section class="card" aria-labelledby="catalogue-title">
        <div class="bar"><h2 id="catalogue-title">Models</h2><span class="spacer"></span><input class="field"
          type="search" placeholder="Search" aria-label="Search models" .value=${this.query} @input=${(event: Event) =>
            (this.query = (event.target as HTMLInputElement).value)} /></div>
        ${this.#catalogue()}</section></div>`;
  }

  #catalogue(): TemplateResult {
    if (!this.models) return html`<p class="quiet">Loading models…</p>`;
    const words = this.query.toLowerCase();
    const found = this.models.filter(({ id, name, provider }) =>
      `${provider}/${id} ${name}`.toLowerCase().includes(words),
    );
    return html`<ul class="rows">${found.slice(0, SHOWN).map((model) => this.#model(model))}</ul>
      ${
        found.length > SHOWN ? html`<p class="small quiet">${found.length - SHOWN} more: search for them.</p>` : nothing
      }
      ${found.length === 0 ? html`<p class="quiet">No models match.</p>` : nothing}`;
  }

  #model({ id, name, provider, contextWindow, reasoning }: Model): TemplateResult {
    const ref = `${provider}/${id}`;
    const tested = this.tested.get(ref);
    const testing = this.tested.has(ref) && tested === undefined;
    return html`<li class="row model-row"><span><b>${name}</b><small class="mono">${ref}</small><small>${[
      contextWindow ? `${thousands(contextWindow)} tokens` : '',
      reasoning ? 'reasons' : '',
    ]
      .filter(Boolean)
      .join(' · ')}</small>${
      tested
        ? html`<small class=${tested.ok ? 'model-works' : 'model-fails'} role="status">${
            tested.ok ? `Answered in ${(tested.ms / 1000).toFixed(1)} s` : tested.problem
          }</small>`
        : nothing
    }</span><span class="row-actions">
      <button class="button small" ?disabled=${testing} @click=${() => void this.#test(ref)}>${
        testing ? 'Testing…' : 'Test'
      }<span class="offscreen"> ${ref}</span></button>
      <button class="button small" ?disabled=${ref === this.primary || this.fallbacks.includes(ref)} @click=${() =>
        void this.#order([...this.fallbacks, ref])}>Add as fallback<span class="offscreen"> ${ref}</span></button>
      <button class="button small" ?disabled=${ref === this.primary} @click=${() =>
        void this.#save({ primary: ref })}>Use<span class="offscreen"> ${ref}</span></button></span></li>`;
  }

  async #test(ref: string): Promise<void> {
    this.tested = new Map([...this.tested, [ref, undefined]]);
    try {
      const answer = await this.app.request('models.test', { model: ref }, { timeoutMs: TEST_MS });
      this.tested = new Map([...this.tested, [ref, answer]]);
    } catch (cause) {
      this.tested = new Map([...this.tested].filter(([name]) => name !== ref));
      toast(messageOf(cause), 'bad');
    }
  }

  #order(fallbacks: readonly string[]): Promise<void> {
    return this.#save({ fallbacks });
  }

  async #save(model: { readonly primary?: string; readonly fallbacks?: readonly string[] }): Promise<void> {
    try {
      await saveConfig(this.app, {
        agents: { defaults: { model: { ...(this.primary ? { primary: this.primary } : {}), ...model } } },
      });
      await Promise.all([this.#load(), this.app.refreshHealth()]);
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
  }

  async #load(): Promise<void> {
    try {
      const [{ models }, { config }] = await Promise.all([
        this.app.request('models.list'),
        this.app.request('config.get'),
      ]);
      this.models = models;
      const written = (config as { agents?: { defaults?: { model?: unknown } } } | undefined)?.agents?.defaults?.model;
      const chosen = typeof written === 'string' ? { primary: written } : (written as Written | undefined);
      this.primary = chosen?.primary ?? '';
      this.fallbacks = chosen?.fallbacks ?? [];
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

interface Written {
  readonly primary?: string;
  readonly fallbacks?: readonly string[];
}

/** The one at `index` changes places with the one before it. */
const moved = (list: readonly string[], index: number): readonly string[] =>
  list.with(index - 1, list[index]!).with(index, list[index - 1]!);

customElements.define('claw-models', ModelsPage);
