/** `<claw-config-history>`: replaced versions of the configuration file, what differs, and restoring one. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { confirmed } from '../elements/dialogs.ts';
import { LightElement } from '../elements/light-element.ts';
import { ago, exactTime } from '../elements/times.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import type { ConfigSnapshot, ConfigVersion } from '../gateway/wire.ts';
import { diffView } from '../tools/diff-view.ts';
import { diffSize } from '../tools/diff-lines.ts';
import '../tools/tools.css';
import { textDiff } from './text-diff.ts';

/** A version, with the unified diff that restoring it would apply; empty if nothing visible changes. */
interface Shown extends ConfigVersion {
  readonly diff: string;
}

export class ConfigHistory extends LightElement {
  static override properties = {
    app: { attribute: false },
    snapshot: { state: true },
    versions: { state: true },
    open: { state: true },
    note: { state: true },
    busy: { state: true },
  };
  declare app: App;
  declare snapshot: ConfigSnapshot | undefined;
  declare versions: readonly Shown[] | undefined;
  /** The version whose diff is shown. */
  declare open: string | undefined;
  declare note: { readonly tone: 'good' | 'bad'; readonly text: string } | undefined;
  declare busy: boolean;

  constructor() {
    super();
    this.busy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.onLeave(this.app.whenConnected(() => void this.#load()));
  }

  override render(): unknown {
    const { note, versions } = this;
    return html`${
      note
        ? html`<p class="strip ${note.tone}" role=${note.tone === 'bad' ? 'alert' : 'status'}>${note.text}</p>`
        : nothing
    }
      ${versions === undefined ? html`<p class="quiet">${note ? nothing : 'Loading…'}</p>` : this.#list(versions)}`;
  }

  #list(versions: readonly Shown[]): TemplateResult {
    if (versions.length === 0)
      return html`<p class="quiet">No earlier version yet. Each change keeps the file it replaces; the last five are
        here.</p>`;
    return html`<p class="small quiet">The last five versions that were replaced. Comments and secrets are hidden here
        and restored with the file.</p>
      <ul class="rows history">${versions.map((version) => this.#row(version))}</ul>`;
  }

  #row(version: Shown): TemplateResult {
    const { hash, replacedAt, diff } = version;
    const isOpen = this.open === hash;
    return html`<li class="row history-row"><div class="history-line"><span>Replaced <time
        title=${exactTime(replacedAt)}>${ago(replacedAt, Date.now())}</time> <small class="quiet">${
          diff === '' ? 'differs in hidden text only' : `restoring: ${diffSize([{ diff }])} lines`
        }</small></span><span class="row-actions">${
          diff === ''
            ? nothing
            : html`<button class="button small" aria-expanded=${isOpen ? 'true' : 'false'} @click=${() =>
                (this.open = isOpen ? undefined : hash)}>${isOpen ? 'Hide changes' : 'Show changes'}</button>`
        }<button class="button small" ?disabled=${this.busy} @click=${() =>
          void this.#restore(version)}>Restore…</button></span></div>
      ${isOpen && diff !== '' ? diffView([{ diff }]) : nothing}</li>`;
  }

  /** The confirmation shows the diff; a file that was changed meanwhile is not overwritten. */
  async #restore({ hash: version, diff }: Shown): Promise<void> {
    const sure = await confirmed({
      title: 'Restore this version?',
      body: html`<p>The present file becomes an earlier version, so this can be undone.</p>${
        diff === '' ? nothing : diffView([{ diff }])
      }`,
      action: 'Restore',
    });
    if (!sure) return;
    this.busy = true;
    try {
      const { hash, exists } = this.snapshot!;
      await this.app.request('config.restore', {
        version,
        ...(exists && hash ? { baseHash: hash } : {}),
      });
      this.open = undefined;
      await this.#load();
      this.note = { tone: 'good', text: 'Restored. Changes that need no restart are already active.' };
      void this.app.refreshHealth();
    } catch (cause) {
      this.note = { tone: 'bad', text: `Not restored: ${messageOf(cause)}` };
    } finally {
      this.busy = false;
    }
  }

  async #load(): Promise<void> {
    try {
      const [{ versions }, snapshot] = await Promise.all([
        this.app.request('config.history'),
        this.app.request('config.get'),
      ]);
      this.versions = versions.map((one) => ({ ...one, diff: textDiff(snapshot.raw ?? '', one.raw) }));
      this.snapshot = snapshot;
      this.note = undefined;
    } catch (cause) {
      if (!isDisconnected(cause)) this.note = { tone: 'bad', text: messageOf(cause) };
    }
  }
}

customElements.define('claw-config-history', ConfigHistory);
