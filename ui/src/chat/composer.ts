/** `<claw-composer>`: the input for a message: keys, slash commands, files, voice notes, drafts. */
import { html, nothing } from 'lit';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { painted } from '../elements/painted.ts';
import type { Command, completions as Completions } from './commands.ts';
import { USUAL_POLICY } from './attachments.ts';
import { fileChip, removeButton } from './file-chip.ts';
import { isPicture } from './file-kind.ts';
import type { TabStorage } from './tab-storage.ts';
import type { OutgoingFile } from './outbox.ts';

export class Composer extends LightElement {
  static override properties = {
    busy: { type: Boolean },
    conversation: {},
    policy: { attribute: false },
    lastText: {},
    text: { state: true },
    files: { state: true },
    recording: { state: true },
    problem: { state: true },
    choice: { state: true },
    completions: { state: true },
  };
  declare busy: boolean;
  declare conversation: string;
  declare policy: typeof USUAL_POLICY;
  /** What the arrow key brings back. */
  declare lastText: string;
  declare text: string;
  declare files: readonly OutgoingFile[];
  declare recording: boolean;
  declare problem: string;
  declare choice: number;
  /** Once they were fetched. */
  declare completions: typeof Completions | undefined;
  keep: TabStorage | undefined;

  constructor() {
    super();
    this.busy = false;
    this.text = '';
    this.files = [];
    this.recording = false;
    this.problem = '';
    this.choice = 0;
    this.policy = USUAL_POLICY;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('conversation') || !this.keep) return;
    // Begun before the gateway had named the conversation: it stays as it is, and moves to the name.
    if (changed.get('conversation') === '') {
      this.text ||= this.keep.draft(this.conversation);
      this.keep.saveDraft('', '');
      return this.keep.saveDraft(this.conversation, this.text);
    }
    this.text = this.keep.draft(this.conversation);
    this.files = [];
    this.recording = false;
    this.problem = '';
  }

  /** After the page itself, and before anybody has typed a slash or picked a file. */
  override async firstUpdated(): Promise<void> {
    await painted();
    void this.#adding();
    void import('./commands.ts').then(({ completions }) => (this.completions = completions));
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has('text')) this.#fit();
    if (changed.has('conversation') && this.#mayTakeFocus(changed.get('conversation'))) this.focusField();
  }

  override render(): unknown {
    const offered = this.#offered();
    const empty = this.text.trim() === '' && this.files.length === 0;
    return html`<form class="composer" @submit=${(event: Event) => this.#submit(event)}>
      ${offered.length > 0 ? this.#menu(offered) : nothing}
      ${
        this.problem
          ? html`<p class="composer-problem" role="alert">${icon('warn')}<span>${this.problem}</span><button
        type="button" class="ghost" aria-label="Dismiss" @click=${() =>
          (this.problem = '')}>${icon('close')}</button></p>`
          : nothing
      }
      ${
        this.files.length > 0
          ? html`<ul class="previews" aria-label="Attached">${this.files.map((file, index) =>
              this.#preview(file, () => (this.files = this.files.toSpliced(index, 1))),
            )}</ul>`
          : nothing
      }
      ${
        this.recording
          ? html`<claw-recorder @voice-note=${(event: CustomEvent<File>) => void this.#speak(event.detail)}
        @voice-ended=${(event: CustomEvent<string>) => this.#silence(event.detail)}></claw-recorder>`
          : nothing
      }
      <div class="composer-row" ?hidden=${this.recording}>
        <label class="ghost pick" title="Attach files">${icon('attach')}<span
          class="offscreen">Attach files</span><input type="file" class="offscreen" multiple @change=${(event: Event) =>
            this.#picked(event)} /></label>
        <textarea rows="1" placeholder=${this.busy ? 'Write the next message' : 'Message'} aria-label="Message"
          enterkeyhint="send"
          aria-autocomplete="list" aria-controls=${offered.length > 0 ? 'command-menu' : nothing}
            aria-activedescendant=${offered.length > 0 ? `command-${this.choice}` : nothing} .value=${this.text}
          @input=${(event: Event) => this.#typed((event.target as HTMLTextAreaElement).value)}
            @keydown=${(event: KeyboardEvent) => this.#key(event)} @paste=${(event: ClipboardEvent) =>
              this.#pasted(event)}></textarea>
        ${
          empty && canRecord()
            ? html`<button type="button" class="ghost pick" aria-label="Record a voice note"
          title="Record a voice note: click, or hold while you speak" @pointerdown=${() => this.#record()}
          @click=${() => this.#record()}>${icon('mic')}</button>`
            : nothing
        }
        ${
          this.busy && empty
            ? html`<button type="button" class="send stop" aria-label="Stop the answer" title="Stop (Esc)"
              @click=${() => this.#emit('stop-run')}>${icon('stop')}</button>`
            : html`<button type="submit" class="send" aria-label=${this.busy ? 'Queue message' : 'Send message'}
              title=${this.busy ? 'Queue (Enter)' : 'Send (Enter)'} ?disabled=${empty}>${icon('send')}</button>`
        }
      </div>
    </form>`;
  }

  focusField(): void {
    this.querySelector('textarea')?.focus({ preventScroll: true });
  }

  /**
   * A chosen conversation is for writing in; one that merely appeared must not take the caret from somebody typing
   * elsewhere.
   */
  #mayTakeFocus(previous: unknown): boolean {
    const chosen = typeof previous === 'string' && previous !== '';
    return matchMedia('(hover: hover)').matches && (chosen || document.activeElement === document.body);
  }

  /** Puts a message back; what is being written is not overwritten but follows it. */
  put(text: string, files: readonly OutgoingFile[], problem = ''): void {
    this.#typed([text, this.text].filter(Boolean).join('\n'));
    this.files = [...files, ...this.files];
    this.problem = problem;
    this.focusField();
  }

  #adding() {
    return import('./add-files.ts');
  }

  async addFiles(files: Iterable<File>, facts: Pick<OutgoingFile, 'recorded'> = {}): Promise<void> {
    this.problem = '';
    const [meantFor, chosen] = [this.conversation, [...files]]; // what was dropped is gone after its event
    const { refusalOf } = await this.#adding();
    for (const file of chosen) {
      const refusal = refusalOf(file, this.files, this.policy);
      if (refusal) this.#emitProblem(refusal);
      else await this.#add(file, facts, meantFor);
    }
  }

  async #add(file: File, facts: Pick<OutgoingFile, 'recorded'>, meantFor: string): Promise<void> {
    try {
      // Read first, then look: another paste may have grown the list meanwhile, or another conversation been opened.
      const read = await (await this.#adding()).readFile(file);
      if (meantFor === '' || meantFor === this.conversation) this.files = [...this.files, { ...read, ...facts }];
    } catch (cause) {
      if (!(cause instanceof DOMException)) throw cause;
      this.#emitProblem(`${file.name} could not be read. Folders must be zipped first.`);
    }
  }

  /** Of several files, each refusal is told. */
  #emitProblem(problem: string): void {
    this.problem = [this.problem, problem].filter(Boolean).join(' ');
  }

  #preview(file: OutgoingFile, remove: () => void): unknown {
    return isPicture(file)
      ? html`<li><img src=${file.src} alt=${file.name} />${removeButton(file, remove)}</li>`
      : fileChip(file, remove);
  }

  #record(): void {
    this.problem = '';
    void import('./voice-recorder.ts');
    this.recording = true;
  }

  /** A voice note is sent as soon as it is spoken. */
  async #speak(note: File): Promise<void> {
    this.#silence('');
    await this.addFiles([note], { recorded: true });
    if (this.problem === '') this.#send();
  }

  #silence(problem: string): void {
    this.recording = false;
    this.problem = problem;
    void this.updateComplete.then(() => this.focusField());
  }

  #menu(offered: readonly Command[]): unknown {
    return html`<ul class="menu command-menu" id="command-menu" role="listbox" aria-label="Commands">${offered.map(
      (command, index) => html`<li role="option" id="command-${index}" class="menu-item" aria-selected=${
        index === this.choice ? 'true' : 'false'
      }
      @mousedown=${(event: Event) => {
        event.preventDefault();
        this.#complete(command);
      }}><b>${command.name}</b> <span class="command-args">${command.args ?? ''}</span><span
        class="command-help">${command.help}</span></li>`,
    )}</ul>`;
  }

  #offered(): readonly Command[] {
    const offered = this.completions?.(this.text) ?? [];
    if (this.choice >= offered.length) this.choice = 0;
    return offered;
  }

  #complete(command: Command): void {
    this.#typed(command.args ? `${command.name} ` : command.name);
    this.focusField();
  }

  #typed(text: string): void {
    this.text = text;
    this.keep?.saveDraft(this.conversation, text);
  }

  #key(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const offered = this.#offered();
    const chosen = offered[this.choice];
    if (chosen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      this.choice = (this.choice + (event.key === 'ArrowDown' ? 1 : offered.length - 1)) % offered.length;
      void this.updateComplete.then(() =>
        this.querySelector(`#command-${this.choice}`)?.scrollIntoView({ block: 'nearest' }),
      );
    } else if (chosen && (event.key === 'Tab' || (event.key === 'Enter' && this.text !== chosen.name))) {
      event.preventDefault();
      this.#complete(chosen);
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) this.#submit(event);
    else if (event.key === 'ArrowUp' && this.text === '' && this.lastText) {
      event.preventDefault();
      this.#typed(this.lastText);
    }
  }

  #submit(event: Event): void {
    event.preventDefault();
    this.#send();
  }

  #send(): void {
    const text = this.text.trim();
    if (!text && this.files.length === 0) return;
    const detail = { text, files: this.files };
    this.#typed('');
    this.files = [];
    this.problem = '';
    this.dispatchEvent(new CustomEvent('send-message', { detail, bubbles: true }));
  }

  #pasted(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.addFiles(files);
  }

  #picked(event: Event): void {
    const input = event.target as HTMLInputElement;
    void this.addFiles([...(input.files ?? [])]);
    input.value = '';
  }

  /** As tall as its text, up to the limit in the stylesheet. */
  #fit(): void {
    const field = this.querySelector('textarea')!;
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  }

  #emit(what: string): void {
    this.dispatchEvent(new CustomEvent(what, { bubbles: true }));
  }
}

/** The browser has a recorder, and lets this page near the microphone: on HTTPS and on this machine. */
const canRecord = (): boolean => 'MediaRecorder' in globalThis && navigator.mediaDevices !== undefined;

customElements.define('claw-composer', Composer);

declare global {
  interface HTMLElementTagNameMap {
    'claw-composer': Composer;
  }
}
