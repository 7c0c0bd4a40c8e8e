/** Which of many rows are rendered, and how much space the others take above and below. Pure. */

export interface RowWindow {
  /** Index of the first rendered row, and of the one after the last. */
  readonly from: number;
  readonly to: number;
  /** The height of the rows that are not rendered, in CSS pixels. */
  readonly above: number;
  readonly below: number;
}

/** The visible part of the list, in CSS pixels from its start; `spare` is rendered beyond both ends. */
export interface Viewport {
  readonly top: number;
  readonly room: number;
  readonly spare: number;
}

/** Measured heights of rows by their keys; a row that was not measured has the average height. */
export class RowHeights {
  #known = new Map<string, number>();
  #sum = 0;
  #guess: number;

  constructor(guess: number) {
    this.#guess = guess;
  }

  /** Returns true if the height changed. */
  note(key: string, height: number): boolean {
    const before = this.#known.get(key);
    if (before === height) return false;
    this.#known.set(key, height);
    this.#sum += height - (before ?? 0);
    return true;
  }

  of(key: string): number {
    return this.#known.get(key) ?? this.guess;
  }

  get guess(): number {
    return this.#known.size === 0 ? this.#guess : this.#sum / this.#known.size;
  }

  /** All heights are invalid, e.g. because the window is narrower. */
  forget(): void {
    this.#guess = this.guess;
    this.#known.clear();
    this.#sum = 0;
  }
}

export function windowOf(keys: readonly string[], heights: Pick<RowHeights, 'of'>, viewport: Viewport): RowWindow {
  const [start, end] = [viewport.top - viewport.spare, viewport.top + viewport.room + viewport.spare];
  let [from, to, above, below, at] = [-1, keys.length, 0, 0, 0];
  for (const [index, key] of keys.entries()) {
    const next = at + heights.of(key);
    if (from === -1 && next > start) [from, above] = [index, at];
    if (to === keys.length && from !== -1 && at >= end && index > from) to = index;
    if (index >= to) below += next - at;
    at = next;
  }
  // Scrolled beyond the end, e.g. while the list gets shorter.
  return from === -1 ? { from: Math.max(0, keys.length - 1), to, above: at, below: 0 } : { from, to, above, below };
}

/** The same for rows of one height. */
export function evenWindow(count: number, height: number, { top, room, spare }: Viewport): RowWindow {
  const from = Math.min(Math.max(0, Math.floor((top - spare) / height)), Math.max(0, count - 1));
  const to = Math.max(from, Math.min(count, Math.ceil((top + room + spare) / height)));
  return { from, to, above: from * height, below: (count - to) * height };
}
