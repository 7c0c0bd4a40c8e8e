/** Keeps the newest lines of a transcript that a model can see, chained by parent and without duplicates. */
import { present } from '../core/present.ts';
import { shownFrom, type BodyLine } from './transcript-line.ts';

/** So many ids of lines that were let go are remembered: what a turn writes again after a death is never older. */
const IDS_KEPT = 1000;

/** A line before it has its place. */
export type NewLine = BodyLine extends infer L
  ? L extends BodyLine
    ? Omit<L, 'parentId' | 'timestamp'> & { readonly timestamp?: string }
    : never
  : never;

export interface LineList {
  /** Always the same array. */
  readonly lines: readonly BodyLine[];
  /** There are lines before these, in the file alone. */
  readonly isPart: boolean;
  has(id: string): boolean;
  /** Those of `added` that are not there yet, each behind the one before it; they count as there from now on. */
  take(added: readonly NewLine[]): readonly BodyLine[];
  /** Leaves these lines, each behind the one before it. */
  keep(kept: readonly BodyLine[]): void;
  /** Lets go of what the last summary stands for; false: of nothing. */
  letGo(): boolean;
}

export function createLineList(lines: BodyLine[]): LineList {
  const ids = new Set(lines.map((line) => line.id));
  const state = { isPart: false };

  return {
    lines,
    get isPart() {
      return state.isPart;
    },
    has: (id) => ids.has(id),
    take(added) {
      const fresh: BodyLine[] = [];
      for (const line of added) {
        if (ids.has(line.id)) continue;
        const parentId = fresh.at(-1)?.id ?? lines.at(-1)?.id;
        const timestamp = line.timestamp ?? new Date().toISOString();
        fresh.push({ ...line, ...present({ parentId }), timestamp } as BodyLine);
        ids.add(line.id);
      }
      lines.push(...fresh);
      return fresh;
    },
    keep(kept) {
      // JSON leaves the first one's parent out
      const linked = kept.map((line, index) => ({ ...line, parentId: kept[index - 1]?.id }) as BodyLine);
      lines.splice(0, lines.length, ...linked);
      ids.clear();
      for (const { id } of lines) ids.add(id);
    },
    letGo() {
      const first = shownFrom(lines);
      if (first === 0) return false;
      const known = [...ids].slice(-(lines.length - first + IDS_KEPT));
      ids.clear();
      for (const id of known) ids.add(id);
      lines.splice(0, first);
      state.isPart = true;
      return true;
    },
  };
}
