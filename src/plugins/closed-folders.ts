/** The folders that may not contain plugins, because agents, their commands and senders write files there. Pure. */
import { join } from 'node:path';
import { normaliseAgentId } from '../core/session-key.ts';
import { expandPath, type Env } from '../platform/env.ts';

interface Workspaces {
  readonly agents: {
    readonly defaults: { readonly workspace: string };
    readonly list: readonly { readonly id: string; readonly workspace?: string | undefined }[];
  };
}

/** Those of all agents, whichever of them is the default one. */
export function closedFolders(
  { agents: { defaults, list } }: Workspaces,
  { home, stateDir }: Pick<Env, 'home' | 'stateDir'>,
): readonly string[] {
  const written = defaults.workspace.replace(/(?<![\\/])[\\/]+$/, '');
  const workspaces = [
    written,
    ...list.flatMap(({ id, workspace }) => workspace ?? [`${written}-${normaliseAgentId(id)}`]),
  ];
  return [
    ...workspaces.map((path) => expandPath(path, home)),
    ...['media', 'sandboxes', 'processes', 'tmp'].map((name) => join(stateDir, name)),
  ];
}
