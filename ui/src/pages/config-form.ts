/** `<claw-config-form>`: settings as searchable fields, with the differences shown before saving. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { App } from '../app.ts';
import { LightElement } from '../elements/light-element.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import type { ConfigIssue, ConfigSnapshot } from '../gateway/wire.ts';
import { fieldsOf, findFields, patchOf, readTyped, valueAt, type Change, type Field } from './config-fields.ts';
import { issuesOf } from './config-issues.ts';
import { issueList } from './issue-list.ts';

const MAX_SHOWN = 80;

export class ConfigForm extends LightElement {
  static override properties = {
    app: { attribute: false },
    fields: { state: true },
    snapshot: { state: true },
    changes: { state: true },
    query: { state: true },
    note: { state: true },
    issues: { state: true },
    saving: { state: true },
  };
  declare app: App;
  declare fields: readonly Field[] | undefined;
  declare snapshot: ConfigSnapshot | undefined;
  /** Unsaved changes, by path. */
  declare changes: ReadonlyMap<string, Change>;
  declare query: string;
  declare note: { readonly tone: 'good' | 'bad'; readonly text: string } | undefined;
  declare issues: readonly ConfigIssue[];
  declare saving: boolean;
  #leave: (() => void) | undefined;

  constructor() {
    super();
    this.changes = new Map();
    this.query = '';
    this.issues = [];
    this.saving = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#leave = this.app.whenConnected(() => this.changes.size > 0 || void this.#load());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  override render(): unknown {
    const { fields, note } = this;
    if (!fields) return html`<p class="quiet">${note?.text ?? 'Loading settings…'}</p>`;
    const found = findFields(fields, this.query);
    return html`<input class="field" type="search" placeholder="Search settings" aria-label="Search settings"
        .value=${this.query} @input=${(event: Event) => (this.query = (event.target as HTMLInputElement).value)} />
      ${
        note
          ? html`<p class="strip ${note.tone}" role=${note.tone === 'bad' ? 'alert' : 'status'}>${note.text}</p>`
          : nothing
      }
      ${this.issues.length > 0 ? html`<section class="card problems">${issueList(this.issues)}</section>` : nothing}
      ${this.changes.size > 0 ? this.#difference() : nothing}
      <div class="setting-list">${repeat(
        found.slice(0, MAX_SHOWN),
        ({ path }) => path,
        (field) => this.#setting(field),
      )}
      ${
        found.length === 0
          ? html`<p class="quiet">No setting matches.
        Lists and secrets are in the file.</p>`
          : nothing
      }
      ${
        found.length > MAX_SHOWN
          ? html`<p class="quiet">
        ${found.length - MAX_SHOWN} more: search for them.</p>`
          : nothing
      }
      </div>`;
  }

  #setting(field: Field): TemplateResult {
    const { path, label, help } = field;
    const changed = this.changes.has(path);
    const written = valueAt(this.snapshot?.parsed, path) !== undefined;
    return html`<div class="setting ${changed ? 'changed' : ''}"><label><b>${label}</b> <code>${path}</code>
        <small>${help}</small>${this.#input(field)}</label>
      ${
        written && !changed
          ? html`<button class="button small" @click=${() => this.#change(path, null)}>Reset to default<span
            class="offscreen"> ${path}</span></button>`
          : nothing
      }</div>`;
  }

  #input(field: Field): TemplateResult {
    const { path, type, choices } = field;
    const value = this.changes.has(path) ? this.changes.get(path) : valueAt(this.snapshot?.config, path);
    const shown = value === undefined || value === null ? '' : String(value);
    const typed = (event: Event): void => this.#typed(field, (event.target as HTMLInputElement).value);
    const options = type === 'boolean' ? ['true', 'false'] : choices;
    if (options.length > 0)
      return html`<select class="field" @change=${typed}><option value="" .selected=${shown === ''}>default</option>
        ${options.map((one) => html`<option .selected=${one === shown}>${one}</option>`)}</select>`;
    return html`<input class="field" inputmode=${type === 'text' ? 'text' : 'decimal'} .value=${shown}
      placeholder=${field.default === undefined ? 'default' : String(field.default)} spellcheck="false"
      @change=${typed} />`;
  }

  /** The effect of saving, line by line. */
  #difference(): TemplateResult {
    return html`<section class="card difference" aria-label="Unsaved changes"><h2>Unsaved changes</h2>
      <ul>${[...this.changes].map(([path, value]) => {
        const before = valueAt(this.snapshot?.config, path);
        return html`<li><code>${path}</code> <del>${before === undefined ? 'default' : String(before)}</del> → <ins>${
          value === null ? 'default' : String(value)
        }</ins></li>`;
      })}</ul>
      <div class="form-actions"><button class="button primary" ?disabled=${this.saving} @click=${() =>
        void this.#save()}>${this.saving ? 'Saving…' : 'Save changes'}</button>
      <button class="button" @click=${() => (this.changes = new Map())}>Discard</button></div></section>`;
  }

  #typed(field: Field, text: string): void {
    const value = readTyped(field, text);
    if (value === undefined) {
      this.note = { tone: 'bad', text: `${field.path} must be a number; "${text}" is not one.` };
      return;
    }
    this.note = undefined;
    this.#change(field.path, value);
  }

  /** A value that equals the saved one is not a change. */
  #change(path: string, value: Change): void {
    const same =
      value === null
        ? valueAt(this.snapshot?.parsed, path) === undefined
        : valueAt(this.snapshot?.config, path) === value;
    const others = [...this.changes].filter(([known]) => known !== path);
    this.changes = new Map(same ? others : [...others, [path, value]]);
  }

  async #save(): Promise<void> {
    this.saving = true;
    this.issues = [];
    try {
      const { hash, exists } = this.snapshot!;
      const raw = JSON.stringify(patchOf(this.changes));
      await this.app.request('config.patch', { raw, ...(exists && hash ? { baseHash: hash } : {}) });
      this.changes = new Map();
      await this.#load();
      this.note = { tone: 'good', text: 'Saved. Changes that need no restart are already active.' };
      void this.app.refreshHealth();
    } catch (cause) {
      this.issues = issuesOf(cause);
      this.note = { tone: 'bad', text: `Not saved: ${messageOf(cause)}` };
    } finally {
      this.saving = false;
    }
  }

  async #load(): Promise<void> {
    try {
      const [{ schema, uiHints }, snapshot] = await Promise.all([
        this.app.request('config.schema'),
        this.app.request('config.get'),
      ]);
      this.fields = fieldsOf(schema, uiHints);
      this.snapshot = snapshot;
      this.note = undefined;
    } catch (cause) {
      if (!isDisconnected(cause)) this.note = { tone: 'bad', text: messageOf(cause) };
    }
  }
}

customElements.define('claw-config-form', ConfigForm);
