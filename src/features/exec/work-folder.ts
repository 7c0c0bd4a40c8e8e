/** The working folder of a command: the requested one if it exists, else the workspace with a warning. */
import { resolve } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { realPathIfExists, statIfExists } from '../../platform/files.ts';

export interface WorkFolder {
  /** Absolute real path. */
  readonly cwd: string;
  readonly warnings: readonly string[];
}

export async function workFolder({
  workdir,
  workspace,
  home,
}: {
  workdir: string | undefined;
  workspace: string;
  home: string;
}): Promise<WorkFolder> {
  const wanted = workdir?.trim();
  if (wanted && !wanted.includes('\0')) {
    const found = await folderAt(resolve(workspace, wanted === '~' ? home : wanted.replace(/^~\//, `${home}/`)));
    if (found) return { cwd: found, warnings: [] };
  }
  const fallback = (await folderAt(workspace)) ?? (await folderAt(home)) ?? '/';
  return {
    cwd: fallback,
    warnings: wanted
      ? [`Warning: the folder ${wanted} does not exist or is not a folder; the command ran in ${fallback}.`]
      : [],
  };
}

async function folderAt(path: string): Promise<string | undefined> {
  const facts = await statIfExists(path).catch((error: unknown) =>
    error instanceof AppError ? undefined : Promise.reject(error),
  );
  return facts?.kind === 'directory' ? realPathIfExists(path) : undefined;
}
