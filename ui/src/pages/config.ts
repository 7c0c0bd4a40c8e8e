/** `<claw-config>`: an editor for the configuration file; the gateway validates it before it applies. */
import { html, nothing } from 'lit';
import type { App } from '../app.ts';
import { confirmed } from '../elements/dialogs.ts';
import { issueList } from './issue-list.ts';
import { LightElement } from '../elements/light-element.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import type { ConfigIssue, ConfigSnapshot } from '../gateway/wire.ts';
import { changesBetween, hidesSomething } from './config-changes.ts';
import { issuesOf } from './config-issues.ts';
import { textDiff } from './text-diff.ts';
import { diffSize } from '../tools/diff-lines.ts';
import { diffView } from '../tools/diff-view.ts';
import '../tools/tools.css';

const EXAMPLE = `// Nothing is configured yet. For example:
{
  models: { providers: { anthropic: { apiKey: "\${ANTHROPIC_API_KEY}" } } },
  agents: { defaults: { model: { primary: "anthropic/claude-opus-4-6" } } },
}`;

export class ConfigPage extends LightElement {
  static override properties = {
    snapshot: { state: true },
    text: { state: true },
    issues: { state: true },
    note: { state: true },
    saving: { state: true },
    view: { state: true },
  };
  declare app: App;
  declare snapshot: ConfigSnapshot | undefined;
  declare text: string;
  declare issues: readonly ConfigIssue[];
  declare note: { readonly tone: 'good' | 'bad'; readonly text: string } | undefined;
  declare saving: boolean;
  declare view: 'form' | 'file' | 'history';
  #leave: (() => void) | undefined;

  constructor() {
    super();
    this.text = '';
    this.issues = [];
    this.saving = false;
    this.view = 'form';
  }

  override connectedCallback(): void {
    this.watch(this.app.link);
    super.connectedCallback();
    // A refresh never overwrites unsaved changes.
    this.#leave = this.app.whenConnected(() => this.#dirty || void this.#begin());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  override render(): unknown {
    const { snapshot } = this;
    if (!snapshot)
      return html`<div class="column wide pad"><p class="quiet">${this.note?.text ?? 'Loading…'}</p></div>`;
    if (this.view === 'history')
      return html`<div class="column wide pad"><div class="bar">${this.#views()}</div>
        <claw-config-history .app=${this.app}></claw-config-history></div>`;
    if (this.view === 'form')
      return html`<div class="column wide pad form-page"><div class="bar">${this.#views()}</div>
        <claw-config-form .app=${this.app}></claw-config-form></div>`;
    return html`<div class="column wide pad editor-page">
      <div class="bar">
        ${this.#views()}<code class="path">${snapshot.path}</code>
        <span class="spacer"></span>
        <button class="button" ?disabled=${!this.#dirty} @click=${() => void this.#discard()}>Discard</button>
        <button class="button primary" ?disabled=${!this.#dirty || this.saving} @click=${() =>
          void this.#save()}>${this.saving ? 'Checking…' : 'Check and save'}</button>
      </div>
      ${this.#partial ? html`<p class="strip"><span>Secrets and comments are hidden here and stay in the file unchanged. Only the values you edit are saved. To replace a secret, enter the new value, or better a <code>\${NAME}</code> that is set in the gateway’s environment.</span></p>` : nothing}
      ${this.#unreadable ? html`<p class="strip warn"><span>The file cannot be parsed and may contain secrets, so it is not shown. Fix it on the gateway’s machine. Saving here replaces the file and keeps a copy of the old one.</span></p>` : nothing}
      ${
        this.note
          ? html`<p class="strip ${this.note.tone}" role=${
              this.note.tone === 'bad' ? 'alert' : 'status'
            }>${this.note.text}</p>`
          : nothing
      }
      ${this.issues.length > 0 ? html`<section class="card problems">${issueList(this.issues)}</section>` : nothing}
      <textarea class="editor" aria-label="Configuration, JSON5" spellcheck="false" autocapitalize="off"
        autocomplete="off" wrap="off" placeholder=${this.#unreadable ? '' : EXAMPLE} .value=${this.text}
        @input=${(event: Event) => (this.text = (event.target as HTMLTextAreaElement).value)}
          @keydown=${(event: KeyboardEvent) => this.#key(event)}></textarea>
      ${this.#difference()}
      <p class="small quiet">${
        this.#partial
          ? html`JSON5 with <code>\${ENV}</code>; comments written here are not saved.`
          : html`JSON5: comments, trailing commas and <code>\${ENV}</code> are kept as you write them.`
      } Ctrl+S saves.</p>
    </div>`;
  }

  /** The effect of saving, line by line. */
  #difference(): unknown {
    if (!this.#dirty) return nothing;
    const diff = textDiff(this.snapshot?.raw ?? '', this.text);
    return html`<details class="card unsaved" open><summary>Unsaved changes <small>${diffSize([
      { diff },
    ])}</small></summary>${diffView([{ diff }])}</details>`;
  }

  #views(): unknown {
    const view = (name: ConfigPage['view'], label: string): unknown => html`<button class="button small"
      aria-pressed=${this.view === name ? 'true' : 'false'} ?disabled=${this.#dirty && name !== 'file'}
      @click=${() => void this.#show(name)}>${label}</button>`;
    return html`<span class="views" role="group" aria-label="View">${view('form', 'Form')}
      ${view('file', 'File')}${this.app.offers('config.history') ? view('history', 'History') : nothing}</span>`;
  }

  /** Opens the text editor if the file is invalid, because only there it can be repaired. */
  async #begin(): Promise<void> {
    const first = this.snapshot === undefined;
    // The element is loaded before the first render, once it is known to be needed.
    await import('./config-form.ts');
    await this.#load();
    if (first && (this.snapshot?.valid === false || !this.app.offers('config.schema'))) this.view = 'file';
  }

  async #show(view: ConfigPage['view']): Promise<void> {
    if (view === 'file') await this.#load();
    if (view === 'history') await import('./config-history.ts');
    this.view = view;
  }

  get #dirty(): boolean {
    return this.text !== (this.snapshot?.raw ?? '');
  }

  /** Parts of the file are hidden, so only differences can be saved. */
  get #partial(): boolean {
    return hidesSomething(this.snapshot?.raw ?? '');
  }

  get #unreadable(): boolean {
    const { exists, raw, valid } = this.snapshot ?? {};
    return exists === true && valid === false && !raw;
  }

  async #load(): Promise<void> {
    try {
      const snapshot = await this.app.request('config.get');
      this.snapshot = snapshot;
      this.text = snapshot.raw ?? '';
      this.issues = [...(snapshot.issues ?? []), ...(snapshot.warnings ?? [])];
    } catch (cause) {
      if (!isDisconnected(cause)) this.note = { tone: 'bad', text: messageOf(cause) };
    }
  }

  async #discard(): Promise<void> {
    if (!(await confirmed({ title: 'Discard your changes?', action: 'Discard', danger: true }))) return;
    this.note = undefined;
    await this.#load();
  }

  async #save(): Promise<void> {
    if (this.saving || !this.#dirty) return;
    this.saving = true;
    try {
      const written = await this.#write();
      await this.#load();
      this.note = written
        ? { tone: 'good', text: 'Saved. Changes that need no restart are already active.' }
        : { tone: 'good', text: 'Nothing to save: no value changed.' };
      void this.app.refreshHealth();
    } catch (cause) {
      this.issues = issuesOf(cause);
      this.note = { tone: 'bad', text: `Not saved: ${messageOf(cause)}` };
    } finally {
      this.saving = false;
    }
  }

  /** False if there was nothing to save. */
  async #write(): Promise<boolean> {
    const base = this.snapshot?.hash ? { baseHash: this.snapshot.hash } : {};
    if (!this.#partial) {
      await this.app.request('config.set', { raw: this.text, ...base });
      return true;
    }
    const changes = changesBetween(this.snapshot?.raw ?? '', this.text);
    if (changes) await this.app.request('config.patch', { raw: JSON.stringify(changes), ...base });
    return changes !== undefined;
  }

  #key(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void this.#save();
  }
}

customElements.define('claw-config', ConfigPage);
