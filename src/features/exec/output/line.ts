/** One line as a terminal shows it: a carriage return overwrites from the start. */
import type { CsiSequence } from './sequences.ts';

/** Characters of a line that can still be written over; a longer one goes out in pieces of this size. */
export const MAX_LINE = 8192;

export interface Line {
  empty(): boolean;
  /** Whether so many UTF-16 units still fit behind the cursor. */
  fits(units: number): boolean;
  write(unit: number): void;
  /** Carriage return. */
  home(): void;
  /** Backspace. */
  back(): void;
  /** Moves the cursor within the line or erases part of it; other sequences change nothing. */
  apply(sequence: CsiSequence): void;
  text(): string;
  clear(): void;
}

const SPACE = 0x20;

export function createLine(): Line {
  let units = new Uint16Array(256);
  let length = 0;
  let cursor = 0;
  /** Blanks at the end of such a line wiped something away; nobody sees them. */
  let rewritten = false;

  const grow = (to: number): void => {
    if (to <= units.length) return;
    const wider = new Uint16Array(Math.min(MAX_LINE, Math.max(to, units.length * 2)));
    wider.set(units);
    units = wider;
  };
  const moveTo = (column: number): void => {
    cursor = Math.max(0, Math.min(MAX_LINE - 2, column));
    rewritten = true;
  };
  const erase = (how: number): void => {
    rewritten = true;
    if (how === 0) length = Math.min(length, cursor);
    if (how === 1) units.fill(SPACE, 0, Math.min(length, cursor + 1));
    if (how === 2) length = 0;
  };

  return {
    empty: () => length === 0 && cursor === 0,
    fits: (wanted) => cursor + wanted <= MAX_LINE,
    write(unit) {
      grow(cursor + 1);
      if (cursor > length) units.fill(SPACE, length, cursor);
      units[cursor++] = unit;
      if (cursor > length) length = cursor;
    },
    home: () => moveTo(0),
    back: () => moveTo(cursor - 1),
    apply({ final, parameter, marked }) {
      if (marked) return;
      if (final === 'K') erase(parameter ?? 0);
      if (final === 'G' || final === '`') moveTo((parameter || 1) - 1);
      if (final === 'C' || final === 'a') moveTo(cursor + (parameter || 1));
      if (final === 'D') moveTo(cursor - (parameter || 1));
    },
    text() {
      const text = Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
      const whole = text.isWellFormed() ? text : text.replace(/\p{Surrogate}/gu, '');
      return rewritten ? whole.replace(/(?<! ) +$/, '') : whole;
    },
    clear() {
      length = 0;
      cursor = 0;
      rewritten = false;
    },
  };
}
