/** `update.*` on the wire: whether there is newer code, and taking it. */
import { present } from '../../core/present.ts';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import { namedSession, type NamedSessionDeps } from '../../host/named-session.ts';
import type { UpdateAnswers } from './answers.ts';
import type { UpdateService } from './update-service.ts';
import { updateRunParams, updateStatusParams } from './wire.ts';

const MAX_RESTART_DELAY_MS = 60_000;

export const updateSpecs = defineMethods({
  'update.run': {
    summary: 'Updates from git or the registry, builds, and restarts; without an update there is no restart.',
    needs: 'operator.admin',
    params: updateRunParams,
  },
  'update.status': {
    summary:
      'Returns the current version, whether an update exists, what blocks it, and the progress of a running update.',
    needs: 'operator.read',
    params: updateStatusParams,
  },
});

export const updateMethods = (
  updater: UpdateService,
  named: NamedSessionDeps,
): MethodWorks<typeof updateSpecs, UpdateAnswers> => ({
  async 'update.run'({ sessionKey, restartDelayMs, timeoutMs, note }) {
    const report = await updater.run({
      timeoutMs,
      note,
      restartDelayMs: restartDelayMs === undefined ? undefined : Math.min(restartDelayMs, MAX_RESTART_DELAY_MS),
      ...present({ sessionKey: sessionKey ? namedSession(named, sessionKey) : undefined }),
    });
    const { restart = null, ...result } = report;
    return { ok: report.status !== 'error', result, restart };
  },

  async 'update.status'({ refreshCheckout = false }) {
    const { mode, root, current, available, reason, advice, running, last } = await updater.status({
      refresh: refreshCheckout,
    });
    return {
      sentinel: null,
      updateAvailable: available
        ? present({
            currentVersion: current.version,
            latestVersion: available.version,
            channel: mode === 'git' ? 'dev' : 'stable',
            currentSha: current.sha || undefined,
            upstreamRef: available.upstream || undefined,
            upstreamSha: available.sha || undefined,
            commitsBehind: available.behind,
          })
        : null,
      mode,
      root,
      current,
      ...present({ reason: reason || undefined, advice: advice || undefined, running, last }),
    };
  },
});
