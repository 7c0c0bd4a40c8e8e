/** Serves `update.*`: whether there is newer code, and taking it. */
import { AppError } from '../../core/errors.ts';
import { updateRunParams, updateStatusParams } from '../../protocol/update.ts';
import type { UpdateService } from '../update-service.ts';
import { method, sessionKeyOf, type Call, type Methods } from './method.ts';

const MAX_RESTART_DELAY_MS = 60_000;

export const updateMethods: Methods = {
  'update.run': method({
    summary: 'Takes newer code from git or the registry, builds it, and restarts with it; nothing newer, no restart.',
    needs: 'operator.admin',
    params: updateRunParams,
    async run({ sessionKey, restartDelayMs, timeoutMs, note }, call) {
      const report = await serviceOf(call).run({
        timeoutMs, note, restartDelayMs: restartDelayMs === undefined ? undefined : Math.min(restartDelayMs, MAX_RESTART_DELAY_MS),
        ...(sessionKey ? { sessionKey: sessionKeyOf(call, sessionKey) } : {}),
      });
      const { restart = null, ...result } = report;
      return { ok: report.status !== 'error', result, restart };
    },
  }),

  'update.status': method({
    summary: 'Which code runs, whether there is newer, what stands in the way, and how far an update is.',
    needs: 'operator.read',
    params: updateStatusParams,
    async run({ refreshCheckout = false }, call) {
      const { mode, root, current, available, reason, advice, running, last } = await serviceOf(call).status({ refresh: refreshCheckout });
      return {
        sentinel: null,
        updateAvailable: available ? {
          currentVersion: current.version, latestVersion: available.version, channel: mode === 'git' ? 'dev' : 'stable',
          ...(current.sha ? { currentSha: current.sha } : {}), ...(available.upstream ? { upstreamRef: available.upstream } : {}), ...(available.sha ? { upstreamSha: available.sha } : {}),
          ...(available.behind === undefined ? {} : { commitsBehind: available.behind }),
        } : null,
        mode, root, current, ...(reason ? { reason } : {}), ...(advice ? { advice } : {}), ...(running ? { running } : {}), ...(last ? { last } : {}),
      };
    },
  }),
};

function serviceOf({ services }: Call): UpdateService {
  if (services.update) return services.update;
  throw new AppError('unsupported', 'This gateway cannot update itself; update it the way it was installed.');
}
