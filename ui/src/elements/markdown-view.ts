/** `<claw-markdown>`: renders Markdown; while the text grows, only the last block is rendered again. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { highlightCode } from '../chat/highlight.ts';
import { renderMarkdown, type RenderedMarkdown } from '../chat/markdown.ts';
import { sanitise } from '../chat/sanitise.ts';
import { copyText } from './clipboard.ts';
import { LightElement } from './light-element.ts';

/** Blocks that are in the page at first, and that come with each press: a paragraph, a list, a table each. */
const SHOWN_BLOCKS = 400;

export class MarkdownView extends LightElement {
  static override properties = { text: {}, live: { type: Boolean }, shown: { state: true } };
  declare text: string;
  declare live: boolean;
  declare shown: number;
  #rendered: RenderedMarkdown | undefined;
  #wasLive = false;
  /** Sanitised HTML by block, kept while the block is the same. */
  #clean = new Map<string, string>();

  constructor() {
    super();
    this.text = '';
    this.live = false;
    this.shown = SHOWN_BLOCKS;
    this.addEventListener('click', (event) => void this.#copyCode(event));
  }

  override render(): unknown {
    // A finished text is parsed as a whole once, for references that stand after their use.
    const previous = this.live || !this.#wasLive ? this.#rendered : undefined;
    this.#wasLive = this.live;
    this.#rendered = renderMarkdown(this.text, previous);
    const blocks = this.#rendered.blocks.slice(0, this.shown);
    const clean = new Map(blocks.map(({ html: raw }) => [raw, this.#clean.get(raw) ?? sanitise(raw)]));
    this.#clean = clean;
    return html`<div class="md">${repeat(
      blocks,
      (_, index) => index,
      ({ html: raw }) => (raw ? html`<div class="md-block">${unsafeHTML(clean.get(raw))}</div>` : nothing),
    )}</div>${this.#more(this.#rendered.blocks.length - blocks.length)}`;
  }

  #more(left: number): unknown {
    if (left === 0) return nothing;
    return html`<p class="md-more"><button class="button small" @click=${() =>
      (this.shown += SHOWN_BLOCKS)}>Show more</button> <span class="quiet small">${
      left === 1 ? 'One more part.' : `${left.toLocaleString()} more parts.`
    }</span></p>`;
  }

  override updated(): void {
    if (!this.live) void highlightCode(this);
  }

  async #copyCode(event: Event): Promise<void> {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy-code]');
    if (!button) return;
    const copied = await copyText(button.closest('.code-block')?.querySelector('code')?.textContent ?? '');
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => (button.textContent = 'Copy'), 1600);
  }
}

customElements.define('claw-markdown', MarkdownView);
