/** Composes what the tools of a turn may access, and the model that describes pictures for them. */
import type { Models } from '../models/create-models.ts';
import type { Log } from '../../core/log.ts';
import type { Env } from '../../platform/env.ts';
import { createPictures, type PicturesDeps } from './pictures.ts';
import { createToolBounds, type ToolBoundsDeps } from './tool-bounds.ts';

export type TurnEnvironment = ReturnType<typeof createEnvironment>;

export interface EnvironmentDeps
  extends Pick<ToolBoundsDeps, 'shellOf' | 'media' | 'docsPath' | 'agentWorkspaces' | 'ownFiles'>,
    Pick<PicturesDeps, 'recogniser'> {
  readonly env: Pick<Env, 'home' | 'stateDir' | 'vars'>;
  readonly log: Log;
  readonly models: Models;
  readonly understanding: { readonly describe: PicturesDeps['describe']; readonly fetch: ToolBoundsDeps['fetchFile'] };
  config(): ReturnType<PicturesDeps['config']> & ReturnType<ToolBoundsDeps['config']>;
}

export function createEnvironment({ env, log, models, understanding, recogniser, ...deps }: EnvironmentDeps) {
  const { describe, fetch: fetchFile } = understanding;
  const { home, stateDir, vars } = env;
  const { config } = deps;
  const pictures = createPictures({ config, models, describe, recogniser, vars, log });
  return { pictures, toolBounds: createToolBounds({ ...deps, pictures, fetchFile, home, stateDir }) };
}
