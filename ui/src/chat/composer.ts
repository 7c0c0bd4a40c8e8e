/** `<claw-composer>`: where a message is written: keys, slash commands, pictures, drafts. */
import { html, nothing } from 'lit';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { completions, type Command } from './commands.ts';
import { readImage, refusalOf, roomFor } from './images.ts';
import type { Keep } from './keep.ts';
import type { OutgoingImage } from './outbox.ts';

export class Composer extends LightElement {
  static override properties = { busy: { type: Boolean }, conversation: {}, maxPayload: { type: Number }, lastText: {}, text: { state: true }, images: { state: true }, problem: { state: true }, choice: { state: true } };
  declare busy: boolean;
  declare conversation: string;
  declare maxPayload: number;
  /** What the arrow key brings back. */
  declare lastText: string;
  declare text: string;
  declare images: readonly OutgoingImage[];
  declare problem: string;
  declare choice: number;
  keep: Keep | undefined;

  constructor() {
    super();
    this.busy = false;
    this.text = '';
    this.images = [];
    this.problem = '';
    this.choice = 0;
    this.maxPayload = 25 * 1024 * 1024;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('conversation') || !this.keep) return;
    // Begun before the gateway had named the conversation: it stays as it is, and moves to the name.
    if (changed.get('conversation') === '' && (this.text || this.images.length > 0)) {
      this.keep.saveDraft('', '');
      return this.keep.saveDraft(this.conversation, this.text);
    }
    this.text = this.keep.draft(this.conversation);
    this.images = [];
    this.problem = '';
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has('text')) this.#fit();
    if (changed.has('conversation') && this.#mayTakeFocus(changed.get('conversation'))) this.focusField();
  }

  override render(): unknown {
    const offered = this.#offered();
    const empty = this.text.trim() === '' && this.images.length === 0;
    return html`<form class="composer" @submit=${(event: Event) => this.#submit(event)} @drop=${(event: DragEvent) => this.#dropped(event)} @dragover=${(event: DragEvent) => event.preventDefault()}>
      ${offered.length > 0 ? this.#menu(offered) : nothing}
      ${this.problem ? html`<p class="composer-problem" role="alert">${icon('warn')}<span>${this.problem}</span><button type="button" class="ghost" aria-label="Dismiss" @click=${() => (this.problem = '')}>${icon('close')}</button></p>` : nothing}
      ${this.images.length > 0 ? html`<ul class="previews">${this.images.map((image, index) => html`<li><img src=${image.src} alt=${image.name} /><button type="button" class="preview-remove" aria-label="Remove ${image.name}" @click=${() => (this.images = this.images.toSpliced(index, 1))}>${icon('close')}</button></li>`)}</ul>` : nothing}
      <div class="composer-row">
        <label class="ghost pick" title="Add an image">${icon('image')}<span class="offscreen">Add an image</span><input type="file" class="offscreen" accept="image/png,image/jpeg,image/gif,image/webp" multiple @change=${(event: Event) => this.#picked(event)} /></label>
        <textarea rows="1" placeholder=${this.busy ? 'Write on: it is sent when the answer is done' : 'Message'} aria-label="Message" enterkeyhint="send"
          aria-autocomplete="list" aria-controls=${offered.length > 0 ? 'command-menu' : nothing} aria-activedescendant=${offered.length > 0 ? `command-${this.choice}` : nothing} .value=${this.text}
          @input=${(event: Event) => this.#typed((event.target as HTMLTextAreaElement).value)} @keydown=${(event: KeyboardEvent) => this.#key(event)} @paste=${(event: ClipboardEvent) => this.#pasted(event)}></textarea>
        ${this.busy && empty
          ? html`<button type="button" class="send stop" aria-label="Stop the answer" title="Stop (Esc)" @click=${() => this.#tell('stop-run')}>${icon('stop')}</button>`
          : html`<button type="submit" class="send" aria-label=${this.busy ? 'Queue message' : 'Send message'} title=${this.busy ? 'Queue (Enter)' : 'Send (Enter)'} ?disabled=${empty}>${icon('send')}</button>`}
      </div>
    </form>`;
  }

  focusField(): void {
    this.querySelector('textarea')?.focus({ preventScroll: true });
  }

  /** A chosen conversation is for writing in; one that merely appeared must not take the caret from somebody typing elsewhere. */
  #mayTakeFocus(previous: unknown): boolean {
    const chosen = typeof previous === 'string' && previous !== '';
    return matchMedia('(hover: hover)').matches && (chosen || document.activeElement === document.body);
  }

  /** Puts a message back; what is being written is not overwritten but follows it. */
  put(text: string, images: readonly OutgoingImage[], problem = ''): void {
    this.#typed([text, this.text].filter(Boolean).join('\n'));
    this.images = [...images, ...this.images];
    this.problem = problem;
    this.focusField();
  }

  async addFiles(files: Iterable<File>): Promise<void> {
    this.problem = '';
    for (const file of files) {
      const refusal = refusalOf(file, roomFor(this.maxPayload, this.images));
      if (refusal) {
        this.problem = refusal;
        continue;
      }
      // Read first, then look at the list: another paste may have grown it meanwhile.
      const image = await readImage(file);
      this.images = [...this.images, image];
    }
  }

  #menu(offered: readonly Command[]): unknown {
    return html`<ul class="menu command-menu" id="command-menu" role="listbox" aria-label="Commands">${offered.map((command, index) => html`<li role="option" id="command-${index}" class="menu-item" aria-selected=${index === this.choice ? 'true' : 'false'}
      @mousedown=${(event: Event) => { event.preventDefault(); this.#complete(command); }}><b>${command.name}</b> <span class="command-args">${command.args ?? ''}</span><span class="command-help">${command.help}</span></li>`)}</ul>`;
  }

  #offered(): readonly Command[] {
    const offered = completions(this.text);
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
    const text = this.text.trim();
    if (!text && this.images.length === 0) return;
    const detail = { text, images: this.images };
    this.#typed('');
    this.images = [];
    this.problem = '';
    this.dispatchEvent(new CustomEvent('send-message', { detail, bubbles: true }));
  }

  #pasted(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.addFiles(files);
  }

  #dropped(event: DragEvent): void {
    event.preventDefault();
    void this.addFiles(event.dataTransfer?.files ?? []);
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

  #tell(what: string): void {
    this.dispatchEvent(new CustomEvent(what, { bubbles: true }));
  }
}

customElements.define('claw-composer', Composer);
