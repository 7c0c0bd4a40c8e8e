/** How far the tools of a turn reach, and who looks at pictures for them. */
import { createPictures } from '../agent/environment/pictures.ts';
import { createReaches, type ReachDeps } from '../agent/environment/tool-reach.ts';
import { agentIds } from '../agent/resolve-agent.ts';
import type { AppDeps } from './app-deps.ts';
import type { Flow } from './app-flow.ts';
import type { Ground } from './app-ground.ts';

export type AppEnvironment = ReturnType<typeof createAppEnvironment>;

export interface AppEnvironmentParts extends Pick<ReachDeps, 'shellOf'> {
  readonly deps: Pick<AppDeps, 'docsPath'>;
  readonly ground: Ground;
  readonly flow: Flow;
}

export function createAppEnvironment({ deps, ground, flow, shellOf }: AppEnvironmentParts) {
  const { env, log, config, models, media } = ground;
  const { understanding, workspaceOf, ownFiles } = flow;
  const pictures = createPictures({
    config,
    models,
    describe: understanding.describe,
    recogniser: async (by) => (await import('../pipeline/understanding/media/format.ts')).recogniser(by),
    vars: env.vars,
    log,
  });
  const reaches = createReaches({
    shellOf,
    pictures,
    config,
    fetchFile: understanding.fetch,
    media,
    agentWorkspaces: () => agentIds(config()).map(workspaceOf),
    home: env.home,
    stateDir: env.stateDir,
    docsPath: deps.docsPath,
    ownFiles,
  });
  return { pictures, reaches };
}
