/** Assembles the result of a command from parts: in order, without gaps, up to a limit. */
import { AppError } from '../../../core/errors.ts';

export interface Pieces {
  /** An error when it cannot be one result any more. */
  add(seq: number, chunk: string): AppError | undefined;
  /** All pieces as one; undefined: none came. */
  text(): string | undefined;
}

/** `max`: characters of all together. `heard`: told of each. */
export function createPieces(max: number, received?: (text: string) => void): Pieces {
  /** One text: any number of empty pieces adds nothing to it, and a list of them would fill the memory. */
  let whole: string | undefined;
  let due = 0;
  return {
    add(seq, chunk) {
      if (seq !== due)
        return new AppError('bad_response', `the node sent piece ${seq} of its result where ${due} was due`, {
          details: { code: 'INVALID_RESULT' },
        });
      const text = (whole ?? '') + chunk;
      if (text.length > max)
        return new AppError('too_large', `the result has more than ${max} bytes; ask for less`, {
          details: { code: 'PAYLOAD_TOO_LARGE' },
        });
      whole = text;
      due++;
      received?.(chunk);
      return undefined;
    },
    text: () => whole,
  };
}
