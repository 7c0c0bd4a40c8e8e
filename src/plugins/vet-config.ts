/** Looks at a change of the configuration before it is written: models for pictures, and secrets of channels. */
import type { Vet } from '../config/store.ts';
import type { Env } from '../platform/env.ts';
import { vendorsOf, type Joined } from './check-config.ts';
import { credentialCheck, type CredentialCheckOptions } from './credential-check.ts';
import { refuseBlind } from './sight-check.ts';

export const vetConfig =
  (
    env: Env,
    options: CredentialCheckOptions,
  ): Vet<Joined & Parameters<ReturnType<typeof credentialCheck>>[0]['after']> =>
  async (change) => {
    await refuseBlind(change, vendorsOf(change.after, env));
    await credentialCheck(env, options)(change);
  };
