/** The gateway's renewal, loaded when it is first asked for: that is seldom. */
import { AppError } from '../../core/errors.ts';
import { loadOnce } from '../../platform/load-once.ts';
import type { Updater, UpdaterDeps } from './create-updater.ts';

export function createLazyUpdater(deps: UpdaterDeps): Updater {
  const updater = loadOnce(async () => (await import('./create-updater.ts')).createUpdater(deps));
  const state = { ended: false };
  const whole = (): Promise<Updater> => {
    if (state.ended) throw new AppError('unavailable', 'The gateway is stopping; ask again after the next start.');
    return updater.get();
  };
  return {
    run: async (request) => (await whole()).run(request),
    status: async (options) => (await whole()).status(options),
    async [Symbol.asyncDispose]() {
      state.ended = true;
      const [begun] = await Promise.allSettled([updater.begun]);
      // Whoever asked for what could not be loaded was told; there is nothing to end.
      if (begun.status === 'fulfilled') await begun.value?.[Symbol.asyncDispose]();
    },
  };
}
