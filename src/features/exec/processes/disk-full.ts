/** Whether the end of the output may be missing because the disk was full. */
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
