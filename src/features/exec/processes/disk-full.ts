/** Whether what a command wrote last may be missing because there was no room for it. */
import { AppError } from '../../../core/errors.ts';
import { freeBytes } from '../../../platform/disk-space.ts';

const FULL_BYTES = 64 * 1024;

/** False when the disk cannot be asked. */
export async function diskIsFull(folder: string): Promise<boolean> {
  try {
    return (await freeBytes(folder)) < FULL_BYTES;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}
