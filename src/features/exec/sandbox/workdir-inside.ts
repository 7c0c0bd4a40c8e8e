/**
 * The working folder of a command inside the sandbox: the requested one if it exists there, else the root with a
 * warning.
 */
import { posix } from 'node:path';
import { asAppError } from '../../../core/errors.ts';
import { realPathIfExists, statIfExists } from '../../../platform/files.ts';
import { resolvePath } from '../../../platform/inside.ts';
import { INSIDE } from './backend.ts';
import type { SandboxSetting } from './sandbox-setting.ts';

/** The sandbox's workspace exists. */
export async function workdirInside(
  setting: SandboxSetting,
  workdir: string | undefined,
): Promise<{ readonly cwd: string; readonly warnings: readonly string[] }> {
  const wanted = workdir?.trim();
  if (!wanted) return { cwd: INSIDE, warnings: [] };
  const outcome = await folderInside(setting, wanted);
  if ('cwd' in outcome) return { cwd: outcome.cwd, warnings: [] };
  return { cwd: INSIDE, warnings: [`Warning: the folder ${wanted} ${outcome.why}; the command ran in ${INSIDE}.`] };
}

async function folderInside(
  { workspace }: SandboxSetting,
  wanted: string,
): Promise<{ readonly cwd: string } | { readonly why: string }> {
  try {
    const real = await resolvePath(wanted, { base: workspace, roots: [workspace], shownAs: INSIDE });
    if ((await statIfExists(real))?.kind !== 'directory') return { why: 'does not exist or is not a folder' };
    const root = (await realPathIfExists(workspace)) ?? workspace;
    return { cwd: posix.join(INSIDE, posix.relative(root, real)) };
  } catch (error) {
    const { code } = asAppError(error);
    if (code === 'denied' || code === 'invalid') return { why: 'is outside the sandbox' };
    throw error;
  }
}
