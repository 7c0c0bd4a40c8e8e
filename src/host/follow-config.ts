/** Handles a changed setting that is not read live: restarts in place, or logs that a restart is needed. */
import type { ConfigStore } from '../config/store.ts';
import { changedPaths } from '../config/diff.ts';
import type { Log } from '../core/log.ts';
import type { Config } from '../schema.ts';
import type { RequestRestart } from './restart.ts';

/** What following needs: the settings, which of them need a restart, and who restarts. */
export interface FollowDeps {
  readonly config: Pick<ConfigStore<Config>, 'current' | 'subscribe'>;
  readonly log: Log;
  needsRestart(path: string): boolean;
  readonly requestRestart: RequestRestart;
}

/** Follows what changed since the gateway began with `since`. Answers how to stop. */
export function followConfig(since: Config, { config, log, needsRestart, requestRestart }: FollowDeps): () => void {
  const follow = (changed: readonly string[]): void => {
    const why = changed.filter(needsRestart);
    const { mode } = config.current().gateway.reload;
    log.info('config.reloaded', { changed, restart: why });
    if (why.length === 0 && mode !== 'restart') return;
    if (mode === 'off' || mode === 'hot')
      log.warn('config.restart-needed', { changed: why, advice: 'restart the gateway to apply' });
    else requestRestart({ reason: `configuration: ${(why.length > 0 ? why : changed).join(', ')}`, delayMs: 0 });
  };
  const unsubscribe = config.subscribe((_next, _previous, changed) => follow(changed));
  const meanwhile = changedPaths(since, config.current());
  if (meanwhile.length > 0) follow(meanwhile);
  return unsubscribe;
}
