/** A folder that only its owner may read. */
import type { Log } from '../core/log.ts';
import { ensureDir, setMode, statIfExists } from './files.ts';

/** Sessions and keys live here: a folder made by somebody else is closed to others. What fails is logged. */
export async function privateDir(path: string, log: Log): Promise<void> {
  try {
    await ensureDir(path);
    if (((await statIfExists(path))?.mode ?? 0) & 0o077) await setMode(path, 0o700);
  } catch (error) {
    log.error('state.unwritable', { path, error });
  }
}
