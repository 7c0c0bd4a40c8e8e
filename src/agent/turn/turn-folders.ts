/** Creates the folders of a turn before it starts, and reads the workspace files for the prompt. */
import { join } from 'node:path';
import { ensureDir } from '../../platform/files.ts';
import { createNearFiles } from '../../platform/near-files.ts';
import { onFailure } from '../../platform/settled.ts';
import type { Workplace } from '../../host/tool-environment.ts';
import type { ResolvedAgent } from '../resolve-agent.ts';
import { createContextFiles } from '../workspace/context-files.ts';
import { prepareWorkspace } from '../workspace/prepare-workspace.ts';
import { createSkills, type Skill } from '../workspace/skills.ts';

type ContextFiles = Awaited<ReturnType<ReturnType<typeof createContextFiles>['load']>>;

export interface TurnFolders {
  /** Resolves when the folders are there. */
  ready(place: Workplace, agent: Pick<ResolvedAgent, 'skipBootstrap'>): Promise<unknown>;
  contextFiles(place: Workplace, agent: Pick<ResolvedAgent, 'bootstrapMaxChars'>): Promise<ContextFiles>;
  /** Of an agent's folder and of the gateway's. */
  skills(workspace: string): Promise<readonly Skill[]>;
}

export function createTurnFolders(stateDir: string): TurnFolders {
  const near = createNearFiles(stateDir);
  const contextFiles = createContextFiles(near);
  const skills = createSkills(near);
  const ready = new Map<string, Promise<unknown>>();

  /** Creates a folder, and for an agent its files, once per process. */
  function once(dir: string, make: () => Promise<unknown>): Promise<unknown> {
    const known = ready.get(dir) ?? make();
    ready.set(dir, known);
    onFailure(known, () => ready.delete(dir));
    return known;
  }

  return {
    ready: ({ agentWorkspace: home, workspace }, agent) =>
      Promise.all([
        once(home, () => prepareWorkspace(home, { starterFiles: !agent.skipBootstrap })),
        workspace === home ? undefined : once(workspace, () => ensureDir(workspace)),
      ]),
    contextFiles: (place, { bootstrapMaxChars }) =>
      contextFiles.load(place.agentWorkspace, {
        perFile: bootstrapMaxChars,
        total: bootstrapMaxChars * 4,
        confined: place.sandbox !== undefined,
        shownAs: place.shownAs,
      }),
    skills: (workspace) => skills.list([join(workspace, 'skills'), join(stateDir, 'skills')]),
  };
}
