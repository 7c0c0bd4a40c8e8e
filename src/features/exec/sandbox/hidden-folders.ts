/** The parts of a workspace that no sandbox shows: the gateway's state, if it is inside. */
import { relative } from 'node:path';
import { realPathIfExists, statIfExists } from '../../../platform/files.ts';

/**
 * `below`: relative to the workspace, whose real path it takes. The state directory holds tokens and other people's
 * conversations.
 */
export async function hiddenFolders(
  workspace: string,
  stateDir: string,
): Promise<{ readonly below: readonly string[] } | { readonly problem: string }> {
  if (workspace === '/')
    return {
      problem:
        'The workspace is the whole file system, which a sandbox cannot contain; choose a folder ' +
        '(agents.defaults.workspace).',
    };
  const relativePath = relative(workspace, (await realPathIfExists(stateDir)) ?? stateDir);
  if (relativePath === '')
    return {
      problem: 'The workspace is the state directory itself; choose another folder (agents.defaults.workspace).',
    };
  const below =
    relativePath !== '..' && !relativePath.startsWith('../') && (await statIfExists(stateDir)) !== undefined;
  return { below: below ? [relativePath] : [] };
}

/**
 * Those between the workspace and what is held in it, outermost first: mounted on themselves they keep their names, and
 * it stays where it is looked for.
 */
export function foldersAbove(held: readonly string[]): readonly string[] {
  const above = held.flatMap((path) => {
    const parts = path.split('/').slice(0, -1);
    return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
  });
  return [...new Set(above)].filter((path) => !held.includes(path));
}
