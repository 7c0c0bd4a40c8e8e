/** Draws of many rows of one height those on screen, for elements whose list scrolls. */
import type { LightElement } from './light-element.ts';
import { evenWindow, type RowWindow } from './row-window.ts';

/** Up to this number all rows are rendered. */
const ALL_DRAWN = 60;

export class EvenRows {
  #host: LightElement;
  #names: { readonly scroller: string; readonly row: string };
  #height: number;
  #drawn: RowWindow = { from: 0, to: 0, above: 0, below: 0 };
  #count = 0;

  /**
   * `height`: the height of a row until one is measured, in CSS pixels. Two `.room` elements in the scroller take the
   * space of the other rows.
   */
  constructor(host: LightElement, names: { readonly scroller: string; readonly row: string }, height: number) {
    this.#host = host;
    this.#names = names;
    this.#height = height;
  }

  /** The range of rows to render now. */
  window(count: number): RowWindow {
    this.#count = count;
    this.#drawn = this.#wanted();
    return this.#drawn;
  }

  #wanted(): RowWindow {
    if (this.#count <= ALL_DRAWN) return { from: 0, to: this.#count, above: 0, below: 0 };
    const scroller = this.#host.querySelector(this.#names.scroller);
    const room = scroller?.clientHeight || innerHeight;
    return evenWindow(this.#count, this.#height, { top: scroller?.scrollTop ?? 0, room, spare: room });
  }

  /**
   * Called in `updated` of the element. The height is set by script, because the content security policy forbids style
   * attributes.
   */
  drawn(): void {
    const [before, after] = this.#host.querySelectorAll<HTMLElement>(`${this.#names.scroller} .room`);
    if (before) before.style.height = `${this.#drawn.above}px`;
    if (after) after.style.height = `${this.#drawn.below}px`;
    const [first, second] = this.#host.querySelectorAll(this.#names.row);
    if (!first || !second) return;
    const height = second.getBoundingClientRect().top - first.getBoundingClientRect().top;
    if (height <= 0 || Math.abs(height - this.#height) < 0.5) return;
    this.#height = height;
    this.#host.requestUpdate();
  }

  /** Called for the `scroll` event of the list. */
  scrolled(): void {
    const { from, to } = this.#wanted();
    if (from !== this.#drawn.from || to !== this.#drawn.to) this.#host.requestUpdate();
  }
}
