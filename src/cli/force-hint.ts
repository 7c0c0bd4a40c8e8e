/** Mentions `--force` in errors of changes that a person may force. */
import { AppError, asAppError } from '../core/errors.ts';

export async function withForceHint<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, message, details } = asAppError(error);
    if (details?.['unknown'] !== true && details?.['forcible'] !== true) throw error;
    throw new AppError(code, `${message} To write it anyway, add --force.`, { cause: error });
  }
}
