/** Hooks in memory: what was asked for, in order; a key that was seen before begins nothing. */
import { AppError } from '../../core/errors.ts';
import { hooksConfigSchema, type HooksConfig } from './config.ts';
import type { HookAgentRequest, HookService } from './hook-service.ts';

export interface FakeHooks extends HookService {
  /** Those that began a run. */
  readonly asked: HookAgentRequest[];
  readonly woken: Parameters<HookService['wake']>[0][];
  /** As a reload would; what people write. */
  configure(hooks: unknown): void;
}

export function createFakeHooks(initial: unknown = {}): FakeHooks {
  const runs = new Map<string, string>();
  const reported = new Set<string>();
  const asked: HookAgentRequest[] = [];
  const woken: FakeHooks['woken'] = [];
  let config: HooksConfig = hooksConfigSchema.parse(initial);
  const targets = ['last', 'telegram', 'discord'];
  return {
    asked,
    woken,
    config: () => config,
    configure: (hooks) => void (config = hooksConfigSchema.parse(hooks)),
    targets: () => targets,
    async agent(request) {
      const known = request.key === undefined ? undefined : runs.get(request.key);
      if (known) return { runId: known };
      if (!targets.includes(request.channel))
        throw new AppError('invalid', `channel: use one of ${targets.join(', ')}.`);
      const runId = `run-${asked.push(request)}`;
      if (request.key !== undefined) runs.set(request.key, runId);
      return { runId };
    },
    async wake(request) {
      if (request.key !== undefined && reported.has(request.key)) return;
      if (request.key !== undefined) reported.add(request.key);
      woken.push(request);
    },
  };
}
