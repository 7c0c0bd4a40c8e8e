/** Programs ask their terminal where the cursor is; nobody looks at ours, so the question is taken out and answered. */

/** Row 1, column 1. */
export const CURSOR_REPLY = '\x1b[1;1R';

const QUERY = /\x1b\[\??6n/g;
/** The beginning of a question whose end has not come yet. */
const BEGINNING = /\x1b(?:\[\??6?)?$/;

/** Takes questions to a terminal out of what a program writes, across the pieces it comes in. */
export interface QueryFilter {
  /** `text` is one character per byte. Answers what is left and how many questions were in it. */
  take(text: string): { readonly text: string; readonly queries: number };
  /** What was held back because it may have become a question. */
  rest(): string;
}

/** A piece may end within a question: what might be the beginning of one is held back. */
export function createQueryFilter(): QueryFilter {
  let held = '';
  return {
    take(text) {
      let queries = 0;
      const left = (held + text).replace(QUERY, () => {
        queries++;
        return '';
      });
      held = BEGINNING.exec(left)?.[0] ?? '';
      return { text: left.slice(0, left.length - held.length), queries };
    },
    rest() {
      const text = held;
      held = '';
      return text;
    },
  };
}
