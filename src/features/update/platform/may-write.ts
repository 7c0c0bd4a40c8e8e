/** Whether this user may write in a folder, asked of the system. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { errnoOf } from '../../../platform/storage-error.ts';

export async function mayWrite(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
