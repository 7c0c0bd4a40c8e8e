/**
 * `<claw-agent-files>`: the Markdown files of an agent's folder in an editor. What somebody else wrote meanwhile is
 * never overwritten unseen, and the last saving can be undone.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { confirmed } from '../../../../ui/src/elements/dialogs.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { bytesText } from '../../../../ui/src/elements/times.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import type { AgentAnswers, AgentFile } from '../answers.ts';

type Opened = AgentAnswers['agents.files.get'];

/** What the gateway does with each; of the others only the agent knows. */
const PURPOSE: Readonly<Record<string, string | undefined>> = {
  'AGENTS.md': 'How to work here. Part of every prompt.',
  'SOUL.md': 'Who the agent is. Part of every prompt.',
  'TOOLS.md': 'What is special about this machine. Part of every prompt.',
  'IDENTITY.md': 'Name and face, as the agent knows them. Part of every prompt.',
  'USER.md': 'Whom it works for. Part of every prompt.',
  'MEMORY.md': 'What it remembers. Part of every prompt.',
  'HEARTBEAT.md': 'What it looks after by itself. Read at each heartbeat.',
  'BOOTSTRAP.md': 'What it does once, at the beginning.',
};

export class AgentFiles extends LightElement {
  static override properties = {
    app: { attribute: false },
    agentId: { attribute: false },
    admin: { attribute: false },
    files: { state: true },
    opened: { state: true },
    text: { state: true },
    theirs: { state: true },
    undo: { state: true },
    problem: { state: true },
    saving: { state: true },
  };
  declare app: App;
  declare agentId: string;
  declare admin: boolean;
  declare files: readonly AgentFile[];
  declare opened: Opened | undefined;
  declare text: string;
  /** What somebody else saved since this was opened. */
  declare theirs: Opened | undefined;
  /** The text before the last saving. */
  declare undo: string | undefined;
  declare problem: string;
  declare saving: boolean;

  constructor() {
    super();
    this.files = [];
    this.text = '';
    this.problem = '';
    this.saving = false;
    this.admin = false;
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('agentId')) void this.#begin();
  }

  get #dirty(): boolean {
    return this.opened !== undefined && this.text !== this.opened.content;
  }

  async mayLeave(): Promise<boolean> {
    return (
      !this.#dirty ||
      confirmed({
        title: `Discard your changes of ${this.opened!.name}?`,
        action: 'Discard',
        danger: true,
      })
    );
  }

  override render(): unknown {
    const { opened } = this;
    return html`<div class="agent-files">
      <div class="file-tabs" role="group" aria-label="Files">${this.files.map(
        ({ name, exists, size }) => html`<button class="file-tab ${exists ? '' : 'new'}"
        aria-pressed=${name === opened?.name ? 'true' : 'false'} @click=${() =>
          void this.#choose(name)}>${name}<small>${exists ? bytesText(size ?? 0) : 'not there yet'}</small></button>`,
      )}</div>
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      ${this.theirs ? this.#conflict(this.theirs) : nothing}
      ${opened ? this.#editor(opened) : nothing}</div>`;
  }

  #editor(opened: Opened): TemplateResult {
    return html`<p class="small quiet">${PURPOSE[opened.name] ?? 'A file of the agent.'}</p>
      <textarea class="editor agent-text" aria-label=${opened.name} spellcheck="false" ?readonly=${!this.admin}
        .value=${this.text} @input=${(event: Event) => (this.text = (event.target as HTMLTextAreaElement).value)}
        @keydown=${(event: KeyboardEvent) => this.#key(event)}></textarea>
      ${
        this.admin
          ? html`<div class="bar"><span class="small quiet" role="status">${
              this.#dirty ? 'Not saved yet.' : opened.exists ? 'Saved.' : 'The file is not there yet.'
            }</span><span class="spacer"></span>${
              this.undo !== undefined && !this.#dirty
                ? html`<button class="button" @click=${() => void this.#undo()}>Undo</button>`
                : nothing
            }
        <button class="button" ?disabled=${!this.#dirty} @click=${() => (this.text = opened.content)}>Discard</button>
        <button class="button primary" ?disabled=${!this.#dirty || this.saving} @click=${() =>
          void this.#save(this.text, opened.hash)}>${this.saving ? 'Saving…' : `Save ${opened.name}`}</button></div>`
          : nothing
      }`;
  }

  #conflict(theirs: Opened): TemplateResult {
    return html`<div class="strip warn" role="alert"><span>${theirs.name} was changed since you opened it, maybe by
      the agent. Nothing was saved.</span>
      <button class="button small" @click=${() => this.#show(theirs)}>Show the new text</button>
      <button class="button small danger" @click=${() =>
        void this.#save(this.text, theirs.hash)}>Save mine over it</button></div>
      <details class="agent-theirs"><summary>The new text</summary><pre>${theirs.content}</pre></details>`;
  }

  async #begin(): Promise<void> {
    this.opened = undefined;
    this.undo = undefined;
    await this.#reporting(async () => {
      await this.#list();
      const first = this.files.find(({ exists }) => exists) ?? this.files[0];
      if (first) await this.#open(first.name);
    });
  }

  async #choose(name: string): Promise<void> {
    if (name === this.opened?.name || !(await this.mayLeave())) return;
    await this.#reporting(() => this.#open(name));
  }

  async #list(): Promise<void> {
    const { agentId } = this;
    const { files } = await this.app.request('agents.files.list', { agentId });
    if (agentId === this.agentId) this.files = files;
  }

  async #open(name: string): Promise<void> {
    const { agentId } = this;
    const file = await this.app.request('agents.files.get', { agentId, name });
    if (agentId !== this.agentId) return;
    this.undo = undefined;
    this.#show(file);
  }

  #show(file: Opened): void {
    this.opened = file;
    this.text = file.content;
    this.theirs = undefined;
    this.problem = '';
  }

  /** True once it is saved. */
  async #save(content: string, baseHash: string): Promise<boolean> {
    const { agentId, opened } = this;
    if (!opened || this.saving) return false;
    this.saving = true;
    const before = this.theirs?.content ?? opened.content;
    try {
      this.#show(await this.app.request('agents.files.set', { agentId, name: opened.name, content, baseHash }));
      this.undo = before;
    } catch (cause) {
      await this.#explain(cause, opened.name);
      return false;
    } finally {
      this.saving = false;
    }
    // Whoever undoes at once does not wait for the sizes of the files.
    void this.#reporting(() => this.#list());
    return true;
  }

  async #undo(): Promise<void> {
    const { undo, opened } = this;
    if (undo === undefined || !opened) return;
    if (await this.#save(undo, opened.hash)) toast(`${opened.name} is as it was before`);
  }

  /** A file that is another one by now is shown beside what was written here. */
  async #explain(cause: unknown, name: string): Promise<void> {
    await this.#reporting(async () => {
      const theirs = await this.app.request('agents.files.get', { agentId: this.agentId, name });
      if (theirs.hash === this.opened?.hash) throw cause;
      this.theirs = theirs;
    });
  }

  async #reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }

  #key(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (this.admin && this.#dirty && this.opened) void this.#save(this.text, this.opened.hash);
  }
}

customElements.define('claw-agent-files', AgentFiles);

declare global {
  interface HTMLElementTagNameMap {
    'claw-agent-files': AgentFiles;
  }
}
