/** Creates an agent's workspace. */
import { join } from 'node:path';
import { ensureDir, statIfExists, writeFileAtomic } from '../../platform/files.ts';
import { STARTER_FILES } from './starter-files.ts';

/**
 * Creates the folder and the starter files that are missing; what exists is never touched. `dir` is absolute.
 * Answers the names of the files it created. Rejects with `AppError('storage')` when the folder cannot be written.
 */
export async function prepareWorkspace(
  dir: string,
  { starterFiles = true }: { starterFiles?: boolean } = {},
): Promise<readonly string[]> {
  await ensureDir(dir);
  if (!starterFiles) return [];
  const created: string[] = [];
  for (const { name, text } of STARTER_FILES) {
    const path = join(dir, name);
    if (await statIfExists(path)) continue;
    await writeFileAtomic(path, text, { mode: 0o644, sync: false });
    created.push(name);
  }
  return created;
}
