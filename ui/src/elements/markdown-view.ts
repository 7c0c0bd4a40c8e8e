/** `<claw-markdown>`: renders Markdown; while the text grows, only the last block is rendered again. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { highlightCode } from '../chat/highlight.ts';
import { elementsIn, renderMarkdown, type MarkdownBlock, type RenderedMarkdown } from '../chat/markdown.ts';
import { sanitise } from '../chat/sanitise.ts';
import { copyText } from './clipboard.ts';
import { LightElement } from './light-element.ts';

/** Blocks that are rendered at first, and with each press of "more": paragraphs, and pieces of lists and tables. */
const SHOWN_BLOCKS = 400;
/** The maximum number of elements in them; this many characters count as one element. */
const SHOWN_ELEMENTS = 4000;
const CHARS_AS_ELEMENT = 200;

export class MarkdownView extends LightElement {
  static override properties = { text: {}, live: { type: Boolean }, presses: { state: true } };
  declare text: string;
  declare live: boolean;
  /** The number of presses of "more". */
  declare presses: number;
  #rendered: RenderedMarkdown | undefined;
  #wasLive = false;
  /** Sanitized HTML by block, reused while the block is unchanged. */
  #clean = new Map<string, string>();

  constructor() {
    super();
    this.text = '';
    this.live = false;
    this.presses = 0;
    this.addEventListener('click', (event) => void this.#copyCode(event));
  }

  override render(): unknown {
    // A completed text is parsed once as a whole, for references that are defined after their use.
    const previous = this.live || !this.#wasLive ? this.#rendered : undefined;
    this.#wasLive = this.live;
    this.#rendered = renderMarkdown(this.text, previous);
    const blocks = this.#rendered.blocks.slice(0, shownOf(this.#rendered.blocks, this.presses + 1));
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
      (this.presses += 1)}>Show more</button> <span class="quiet small">${
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

/** The number of blocks to render, if this many times the limit is allowed. */
function shownOf(blocks: readonly MarkdownBlock[], times: number): number {
  let room = SHOWN_ELEMENTS * times;
  const last = blocks.findIndex(({ html: raw }) => (room -= elementsIn(raw) + raw.length / CHARS_AS_ELEMENT) < 0);
  return Math.max(1, Math.min(SHOWN_BLOCKS * times, last === -1 ? blocks.length : last));
}

customElements.define('claw-markdown', MarkdownView);
