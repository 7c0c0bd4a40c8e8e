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
  const chunks: string[] = [];
  let chars = 0;
  return {
    add(seq, chunk) {
      if (seq !== chunks.length)
        return new AppError('bad_response', `the node sent piece ${seq} of its result where ${chunks.length} was due`, {
          details: { code: 'INVALID_RESULT' },
        });
      chars += chunk.length;
      if (chars > max)
        return new AppError('too_large', `the result has more than ${max} bytes; ask for less`, {
          details: { code: 'PAYLOAD_TOO_LARGE' },
        });
      chunks.push(chunk);
      received?.(chunk);
      return undefined;
    },
    text: () => (chunks.length === 0 ? undefined : chunks.join('')),
  };
}
