/** What of a workspace no box shows: the gateway's own state, where it lies inside. */
import { relative } from 'node:path';
import { realPathIfExists, statIfExists } from '../../platform/files.ts';

/** `below`: relative to the workspace, whose real path it takes. The state directory holds tokens and other people's conversations. */
export async function hiddenFolders(workspace: string, stateDir: string): Promise<{ readonly below: readonly string[] } | { readonly problem: string }> {
  if (workspace === '/') return { problem: 'The workspace is the whole file system, which no sandbox can hold back; choose a folder (agents.defaults.workspace).' };
  const way = relative(workspace, (await realPathIfExists(stateDir)) ?? stateDir);
  if (way === '') return { problem: 'The workspace is the state directory itself; choose another folder (agents.defaults.workspace).' };
  const below = way !== '..' && !way.startsWith('../') && (await statIfExists(stateDir)) !== undefined;
  return { below: below ? [way] : [] };
}

/** What of it is there, relative to the workspace. A name that is not there cannot be kept from being made. */
export async function sealedBelow(workspace: string, sealed: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(sealed.map(realPathIfExists));
  const ways = there.flatMap((path) => (path === undefined ? [] : [relative(workspace, path)]));
  return [...new Set(ways)].filter((way) => way !== '' && way !== '..' && !way.startsWith('../'));
}

/** Those between the workspace and a hidden one, outermost first: mounted on themselves they keep their names, and what is hidden stays where it is looked for. */
export function foldersAbove(hidden: string): readonly string[] {
  const parts = hidden.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}
