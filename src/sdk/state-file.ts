/** Small JSON files in an account's `stateDir`: what a channel must remember across a restart. */
import { join } from 'node:path';
import { readTextIfExists, writeFileAtomic } from '../platform/files.ts';

/**
 * What was written last; undefined when there is none or it makes no sense. The caller checks its shape. Rejects with
 * `AppError('storage')`.
 */
export async function readState(stateDir: string, name: string): Promise<unknown> {
  const text = await readTextIfExists(join(stateDir, name));
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // a hint, not a promise: to begin anew is all that can be done
    throw error;
  }
}

/** Replaces it as a whole; a crash leaves the old one or the new one. */
export const writeState = async (stateDir: string, name: string, state: unknown): Promise<void> => {
  await writeFileAtomic(join(stateDir, name), JSON.stringify(state));
};
