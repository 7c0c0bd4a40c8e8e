/** How far the tools of a turn reach, and who looks at pictures for them. */
import type { Models } from '../models/create-models.ts';
import type { Log } from '../../core/log.ts';
import type { Env } from '../../platform/env.ts';
import { createPictures, type PicturesDeps } from './pictures.ts';
import { createReaches, type ReachDeps } from './tool-reach.ts';

export type TurnEnvironment = ReturnType<typeof createEnvironment>;

export interface EnvironmentDeps
  extends Pick<ReachDeps, 'shellOf' | 'media' | 'docsPath' | 'agentWorkspaces' | 'ownFiles'>,
    Pick<PicturesDeps, 'recogniser'> {
  readonly env: Pick<Env, 'home' | 'stateDir' | 'vars'>;
  readonly log: Log;
  readonly models: Models;
  readonly understanding: { readonly describe: PicturesDeps['describe']; readonly fetch: ReachDeps['fetchFile'] };
  config(): ReturnType<PicturesDeps['config']> & ReturnType<ReachDeps['config']>;
}

export function createEnvironment({ env, log, models, understanding, recogniser, ...deps }: EnvironmentDeps) {
  const { describe, fetch: fetchFile } = understanding;
  const { home, stateDir, vars } = env;
  const { config } = deps;
  const pictures = createPictures({ config, models, describe, recogniser, vars, log });
  return { pictures, reaches: createReaches({ ...deps, pictures, fetchFile, home, stateDir }) };
}
