/** Finds the daily log files of the gateway. */
import { join } from 'node:path';
import { PRODUCT } from '../../core/product.ts';
import { listDir, statIfExists } from '../../platform/files.ts';
import type { StoredFile } from './stored-file.ts';

/** Anything else in the folder is somebody's own. */
const DAILY = new RegExp(`^${PRODUCT}-\\d{4}-\\d{2}-\\d{2}\\.log$`);

/** All of them, oldest first. */
export async function dailyLogs(stateDir: string): Promise<readonly StoredFile[]> {
  const folder = join(stateDir, 'logs');
  const files: StoredFile[] = [];
  for (const { name, kind } of await listDir(folder)) {
    if (kind !== 'file' || !DAILY.test(name)) continue;
    const facts = await statIfExists(join(folder, name));
    if (facts) files.push({ path: join(folder, name), bytes: facts.size, modifiedAt: facts.modifiedAt });
  }
  return files;
}
