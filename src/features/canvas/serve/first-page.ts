/** Creates the first page of a new canvas folder. */
import { join } from 'node:path';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { realPathIfExists, writeFileAtomic } from '../../../platform/files.ts';
import { holdFolder } from '../../../platform/held-folder.ts';
import { SAMPLE_PAGE } from './inject.ts';
import type { CanvasFolder } from './serve-canvas.ts';

/** Only where nothing has the folder's name, and never through a link somebody put there meanwhile. */
export async function writeFirstPage({ path, workspace }: CanvasFolder, log: Log): Promise<void> {
  const above = workspace === undefined ? undefined : await realPathIfExists(workspace);
  if (above === undefined || (await realPathIfExists(path)) !== undefined) return;
  try {
    await using folder = await holdFolder(join(above, 'canvas'), { shown: path });
    await writeFileAtomic(join(folder.path, 'index.html'), SAMPLE_PAGE);
  } catch (error) {
    // Whoever opens it reads that it has no page; the log says why.
    if (!(error instanceof AppError)) throw error;
    log.warn('canvas.first-page', { path, error });
  }
}
