/** `<claw-browser>`: the browsers of agents: tabs, a live picture, manual control, downloads. */
import { html, nothing } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import type { EventFrame } from '../../../../ui/src/gateway/wire.ts';
import type { BrowserAnswers } from '../answers.ts';
import { downloadList, profileCard, type Download, type Profile, type ShownTab } from './lists.ts';
import { saveFile } from './save-file.ts';
import './screen.ts';
import { tabBar } from './tab-bar.ts';
import './browser.css';

type Overview = BrowserAnswers['browser.overview'];
type Frame = { readonly data: string; readonly width: number; readonly height: number };
type Acted = NonNullable<BrowserAnswers['browser.watch']['acted']>;

export class BrowserPage extends LightElement {
  static override properties = {
    overview: { state: true },
    problem: { state: true },
    frame: { state: true },
    acted: { state: true },
    busy: { state: true },
  };
  declare app: App;
  declare overview: Overview | undefined;
  declare problem: string;
  /** The downloads of the selected tab. */
  declare frame: Frame | undefined;
  declare acted: Acted | undefined;
  declare busy: boolean;
  #watched: { readonly profile: string; readonly targetId: string } | undefined;
  #leave: (() => void)[] = [];

  constructor() {
    super();
    this.problem = '';
    this.busy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const seen = (): void => void (document.hidden ? this.#unwatch() : this.#watch());
    document.addEventListener('visibilitychange', seen);
    this.#leave = [
      this.app.whenConnected(() => void this.#arrive()),
      this.app.on((event) => this.#onEvent(event)),
      () => document.removeEventListener('visibilitychange', seen),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const leave of this.#leave.splice(0)) leave();
    this.#unwatch();
  }

  override render(): unknown {
    const { overview, problem } = this;
    if (!overview)
      return html`<div class="column wide pad">${
        problem ? html`<p class="strip bad" role="alert">${problem}</p>` : html`<p class="quiet">Loading…</p>`
      }</div>`;
    return html`<div class="browser-page pad">
      ${problem ? html`<p class="strip bad" role="alert">${problem}</p>` : nothing}
      ${
        overview.enabled
          ? nothing
          : html`<p class="strip warn">The browser is switched off (<code>browser.enabled</code>).</p>`
      }
      <div class="browser-side">
        ${overview.profiles.map((profile) => profileCard(profile, this.#acts(profile)))}
        ${downloadList(overview.downloads, (one) => void this.#save(one))}
      </div>
      ${this.#stage()}
    </div>`;
  }

  #stage(): unknown {
    const tab = this.#tab();
    if (!tab)
      return html`<section class="card browser-empty"><h2>No tab is shown</h2>
        <p class="quiet">Open a page, or choose a tab of an agent. A browser starts when it is first needed.</p>
      </section>`;
    return html`<section class="card browser-stage" aria-label="Tab">
      ${tabBar(tab, {
        busy: this.busy,
        control: (take) => void this.#control(take),
        go: (url) => void this.#request('POST', '/navigate', { url }),
        history: (to) => this.#input([{ type: 'history', to }]),
        type: (text) => this.#input([{ type: 'text', text }]),
        press: (key) =>
          this.#input([
            { type: 'keydown', key },
            { type: 'keyup', key },
          ]),
        answer: (accept, promptText) => void this.#request('POST', '/hooks/dialog', { accept, promptText }),
        close: () => void this.#closeTab(tab),
      })}
      <claw-browser-screen .frame=${this.frame} .acted=${this.acted} .active=${tab.control === 'you'}
        .label=${tab.title || tab.url} @input-from-person=${(event: CustomEvent<readonly object[]>) =>
          this.#input(event.detail)}></claw-browser-screen>
    </section>`;
  }

  #tab(): ShownTab | undefined {
    const { profile, targetId } = this.#watched ?? {};
    const found = this.overview?.profiles.find(({ name }) => name === profile);
    return found?.tabs.find((tab) => tab.targetId === targetId);
  }

  #acts(profile: Profile) {
    return {
      shown: this.#watched?.targetId,
      busy: this.busy,
      show: ({ targetId }: ShownTab) => this.#choose(profile.name, targetId),
      open: (url: string) => void this.#open(profile.name, url),
      stop: () => void this.#request('POST', '/stop', {}, profile.name),
    };
  }

  #choose(profile: string, targetId: string): void {
    if (this.#watched?.targetId === targetId) return;
    this.#watched = { profile, targetId };
    this.frame = this.acted = undefined;
    this.#watch();
  }

  /** Pictures are requested only while the page is visible. */
  #watch(): void {
    const tab = this.#tab();
    if (!tab || document.hidden || !this.#watched) return;
    void this.#try(async () => {
      const { acted } = await this.app.request('browser.watch', this.#watched!);
      this.acted = acted;
    });
  }

  #unwatch(): void {
    if (this.#watched && this.app.connection.state.phase === 'connected')
      this.app.request('browser.unwatch', {}).catch(() => undefined); // the connection ended, and the pictures with it
  }

  async #control(take: boolean): Promise<void> {
    await this.#try(() => this.app.request('browser.control', { ...this.#watched!, take }));
    await this.#load();
    if (take) this.querySelector<HTMLElement>('claw-browser-screen [tabindex]')?.focus();
  }

  #input(inputs: readonly object[]): void {
    void this.#try(() => this.app.request('browser.input', { ...this.#watched!, inputs }));
  }

  async #open(profile: string, url: string): Promise<void> {
    await this.#try(async () => {
      const opened = await this.#call('POST', '/tabs/open', { url }, profile);
      await this.#load();
      this.#choose(profile, String(opened['targetId']));
    });
  }

  async #closeTab({ targetId }: ShownTab): Promise<void> {
    await this.#request('DELETE', `/tabs/${encodeURIComponent(targetId)}`, {});
    this.#watched = undefined;
    await this.#load();
  }

  /** Runs in the selected tab, unless a profile is given. */
  async #request(method: string, path: string, body: object, profile?: string): Promise<void> {
    const { targetId } = this.#watched ?? {};
    await this.#try(() =>
      this.#call(method, path, { ...(profile === undefined && targetId ? { targetId } : {}), ...body }, profile),
    );
    await this.#load();
  }

  #call(method: string, path: string, input: object, profile = this.#watched?.profile) {
    const values = { ...input, ...(profile ? { profile } : {}) };
    const params = { method, path, ...(method === 'POST' ? { body: values } : { query: values }) };
    return this.app.request('browser.request', params, { timeoutMs: 150_000 });
  }

  async #save(one: Download): Promise<void> {
    await this.#try(() => saveFile(one, (params) => this.app.request('browser.file', params)));
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    try {
      await work();
    } catch (cause) {
      if (!isDisconnected(cause)) toast(messageOf(cause), 'bad');
    }
    this.busy = false;
  }

  #onEvent({ event, payload }: EventFrame): void {
    if (event === 'browser.changed') return void this.#load();
    const { targetId, ...rest } = (payload ?? {}) as { readonly targetId?: string };
    if (targetId === undefined || targetId !== this.#watched?.targetId) return;
    if (event === 'browser.frame') this.frame = rest as Frame;
    if (event === 'browser.acted') this.acted = rest as Acted;
  }

  async #arrive(): Promise<void> {
    await this.#load();
    const first = this.overview?.profiles.flatMap(({ name, tabs }) => tabs.map((tab) => ({ profile: name, ...tab })));
    const newest = first?.toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)[0];
    if (!this.#tab() && newest) this.#choose(newest.profile, newest.targetId);
    else this.#watch();
  }

  async #load(): Promise<void> {
    try {
      const before = this.#tab();
      this.overview = await this.app.request('browser.overview');
      this.problem = '';
      if (before && !this.#tab()) {
        this.#watched = undefined;
        this.frame = this.acted = undefined;
      }
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

customElements.define('claw-browser', BrowserPage);
