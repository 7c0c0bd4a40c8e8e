/** What the `gateway` tool asks of updates, for one turn: within the rights of those who wrote to it. */
import { isPlainObject } from '../../config/paths.ts';
import { present } from '../../core/present.ts';
import {
  assertOwner,
  MAX_NOTE_LENGTH,
  readToolParams,
  notificationTarget,
  type TurnRequestDeps,
} from '../../host/turn-request.ts';
import type { UpdateService } from './update-service.ts';
import { updateRunParams } from './wire.ts';
import { head } from '../../core/cut.ts';

export interface UpdateToolsDeps extends TurnRequestDeps {
  readonly updater: UpdateService;
  canonicalKey(raw: string): string;
}

export const createUpdateTools = (deps: UpdateToolsDeps) => ({
  'update.run': async (params: unknown) => {
    assertOwner(deps, ['restart', 'gateway'], 'update the gateway');
    const { progress, ...rest } = isPlainObject(params) ? params : {};
    const { timeoutMs, restartDelayMs, sessionKey, note } = readToolParams(updateRunParams, rest);
    const { restart, ...result } = await deps.updater.run({
      timeoutMs,
      restartDelayMs,
      note: note && head(note, MAX_NOTE_LENGTH),
      ...notificationTarget(deps, sessionKey),
      ...present({ progress: typeof progress === 'function' ? (progress as (text: string) => void) : undefined }),
    });
    return present({ ok: result.status !== 'error', result, restart });
  },
  'update.status': async (_params: unknown) => {
    assertOwner(deps, ['restart', 'gateway'], 'look for updates');
    return deps.updater.status({ refresh: false });
  },
});
