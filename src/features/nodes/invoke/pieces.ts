/** Assembles the result of a command from parts: in order, without gaps, up to a limit. */
import { AppError } from '../../../core/errors.ts';

export interface Pieces {
  /** Adds a part. Returns an error if the parts cannot form one result. */
  add(seq: number, chunk: string): AppError | undefined;
  /** The joined parts; undefined: there were none. */
  text(): string | undefined;
}

/** `max`: characters in total. `received`: called with each part. */
export function createPieces(max: number, received?: (text: string) => void): Pieces {
  /** Joined immediately instead of collected in a list, which many empty parts would make grow without limit. */
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
