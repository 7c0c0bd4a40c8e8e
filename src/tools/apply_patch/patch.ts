/** What a patch says, once it is read. Line numbers count from 1 and are those of the patch as it was written. */

export type Section =
  | { readonly kind: 'add'; readonly path: string; readonly line: number; readonly lines: readonly string[] }
  | { readonly kind: 'delete'; readonly path: string; readonly line: number }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly line: number;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
    };

export interface Hunk {
  readonly line: number;
  /** What stood behind `@@`, outermost first: lines of the file above the place. */
  readonly headings: readonly string[];
  readonly changes: readonly Change[];
  /** `*** End of File` followed: the last line is the last of the file. */
  readonly atEnd: boolean;
}

export interface Change {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** What can be wrong with a patch, in words for the model; `line` of the patch. */
export class PatchProblem extends Error {
  override readonly name = 'PatchProblem';
  constructor(line: number | undefined, what: string) {
    super(line === undefined ? what : `Line ${line} of the patch: ${what}`);
  }
}
