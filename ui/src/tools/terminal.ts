/** `<claw-terminal>`: the output of a command; follows the end unless the reader scrolled up. */
import { html, nothing } from 'lit';
import { copyText } from '../elements/clipboard.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { toast } from '../elements/toast.ts';
import { visible } from './visible-view.ts';

/** The maximum number of characters shown: of longer output only the end, unless it is expanded. */
const SHOWN = 40_000;
const NEAR_END = 24;

export class Terminal extends LightElement {
  static override properties = {
    text: {},
    command: {},
    label: {},
    live: { type: Boolean },
    waiting: { type: Boolean },
    whole: { state: true },
  };
  declare text: string;
  /** Shown completely above the output. */
  declare command: string;
  declare label: string;
  declare live: boolean;
  /** It has not started, because it waits for approval. */
  declare waiting: boolean;
  declare whole: boolean;
  #away = false;

  constructor() {
    super();
    this.text = '';
    this.command = '';
    this.label = 'Output';
    this.live = false;
    this.waiting = false;
    this.whole = false;
  }

  override render(): unknown {
    const hidden = this.whole ? 0 : Math.max(0, this.text.length - SHOWN);
    return html`<div class="terminal ${this.live ? 'live' : ''}">
      ${
        this.command
          ? html`<pre class="terminal-command" tabindex="0"
        aria-label="Command">${visible(this.command)}</pre>`
          : nothing
      }
      ${
        this.text
          ? html`<pre class="terminal-output" tabindex="0" role="log" aria-live="off" aria-label=${this.label}
            @scroll=${(event: Event) => this.#scrolled(event.target as HTMLElement)}>${
              hidden > 0
                ? html`<button
            class="button small terminal-more" @click=${() =>
              (this.whole = true)}>Show ${hidden.toLocaleString()} more characters</button>`
                : nothing
            }${visible(this.text.slice(hidden))}</pre>`
          : html`<p class="terminal-empty">${
              this.waiting ? 'Waiting for approval.' : this.live ? 'No output yet.' : 'No output.'
            }</p>`
      }
      <button class="ghost terminal-copy" title="Copy ${this.text ? 'output' : 'command'}" aria-label="Copy ${
        this.text ? 'output' : 'command'
      }" @click=${() => void this.#copy()}>${icon('copy')}</button>
    </div>`;
  }

  override updated(): void {
    const output = this.querySelector<HTMLElement>('.terminal-output');
    if (output && this.live && !this.#away) output.scrollTop = output.scrollHeight;
  }

  #scrolled(output: HTMLElement): void {
    this.#away = output.scrollHeight - output.scrollTop - output.clientHeight > NEAR_END;
  }

  async #copy(): Promise<void> {
    toast((await copyText(this.text || this.command)) ? 'Copied' : 'The browser blocked copying');
  }
}

customElements.define('claw-terminal', Terminal);
