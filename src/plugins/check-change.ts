/** Checks a configuration change before it is written: picture models, and channel secrets. */
import type { ChangeCheck } from '../config/store.ts';
import type { Env } from '../platform/env.ts';
import { vendorsOf, type Joined } from './check-config.ts';
import { credentialCheck, type CredentialCheckOptions } from './credential-check.ts';
import { refuseBlind } from './vision-check.ts';

export const checkChange =
  (
    env: Env,
    options: CredentialCheckOptions,
  ): ChangeCheck<Joined & Parameters<ReturnType<typeof credentialCheck>>[0]['after']> =>
  async (change) => {
    await refuseBlind(change, vendorsOf(change.after, env));
    await credentialCheck(env, options)(change);
  };
