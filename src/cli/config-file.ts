/** Opens the configuration store of the gateway for commands. */
import type { ConfigStore } from '../config/store.ts';
import { silentLog } from '../core/log.ts';
import type { Env } from '../platform/env.ts';
import type { Config } from '../schema.ts';

/** A running gateway notices what is written by itself. Loads the schemas of the whole product. */
export async function openConfig(env: Env): Promise<ConfigStore<Config>> {
  const [
    { createConfigStore },
    { rulesOfFeatures, withFeatures },
    { findFeatures },
    { lintConfig },
    { configCheck },
    { checkChange },
  ] = await Promise.all([
    import('../config/create-store.ts'),
    import('../schema.ts'),
    import('../plugins/find-features.ts'),
    import('../config/lint.ts'),
    import('../plugins/check-config.ts'),
    import('../plugins/check-change.ts'),
  ]);
  const features = await findFeatures();
  return createConfigStore({
    env,
    schema: withFeatures(features),
    rules: rulesOfFeatures(features),
    lint: lintConfig,
    check: configCheck(env),
    vet: checkChange(env, { unanswered: 'refuse' }),
    log: silentLog,
  });
}
