/** Prepares the workspace of a sandbox before a command runs: hidden folders, owner, read-only files. */
import { realPathIfExists } from '../../../platform/files.ts';
import type { ExecRequest, ExecResult } from '../../../platform/exec.ts';
import type { BoxUser } from '../platform/box-user.ts';
import type { BoxedRequest } from './backend.ts';
import { changeOwner } from './change-owner.ts';
import { hiddenFolders } from './hidden-folders.ts';
import { mountReadOnly, type ReadOnlyMounts } from './read-only-mounts.ts';

/** What a backend mounts. */
export interface PreparedWorkspace {
  /** Real path on this machine. */
  readonly workspace: string;
  /** Below it, relative. */
  readonly hidden: readonly string[];
  readonly mounts: ReadOnlyMounts;
}

/** What the preparation uses; `user` gets the workspace. */
export interface PrepareDeps {
  readonly stateDir: string;
  readonly firstWords: Readonly<Record<string, string>>;
  readonly user: BoxUser | undefined;
  exec(request: ExecRequest): Promise<ExecResult>;
}

export async function prepareWorkspace(
  { setting, readOnly = [] }: BoxedRequest,
  { stateDir, firstWords, user, exec }: PrepareDeps,
): Promise<PreparedWorkspace | { readonly problem: string }> {
  const workspace = (await realPathIfExists(setting.workspace)) ?? setting.workspace;
  const hidden = await hiddenFolders(workspace, stateDir);
  if ('problem' in hidden) return hidden;
  const refused = user && (await changeOwner({ workspace, hidden: hidden.below, user }, exec));
  if (refused) return refused;
  const mounts = await mountReadOnly({
    workspace,
    hidden: hidden.below,
    readOnly: setting.workspaceAccess === 'rw' ? readOnly : [],
    firstWords,
  });
  return 'problem' in mounts ? mounts : { workspace, hidden: hidden.below, mounts };
}
