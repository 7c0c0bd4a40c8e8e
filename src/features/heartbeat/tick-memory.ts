/** Heartbeat state that survives restarts: the next tick of each agent, and the result of its last one. */
import { z } from 'zod';
import { asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { HeartbeatEvent as HeartbeatReport } from './answers.ts';
import { readTextIfExists, writeFileAtomic } from '../../platform/files.ts';
import { createSerialQueue } from '../../platform/keyed-queue.ts';

const report = z.object({
  ts: z.number(),
  agentId: z.string(),
  sessionKey: z.string(),
  status: z.enum(['sent', 'ok', 'skipped', 'failed']),
  reason: z.string(),
  preview: z.string().optional(),
  channel: z.string().optional(),
  to: z.string().optional(),
  durationMs: z.number().optional(),
  silent: z.boolean().optional(),
  indicator: z.boolean().optional(),
});
const fileSchema = z.object({
  version: z.literal(1),
  agents: z.record(z.string(), z.object({ nextAtMs: z.number().optional(), last: report.optional() })),
});

export interface Remembered {
  readonly nextAtMs?: number | undefined;
  readonly last?: HeartbeatReport | undefined;
}

export type TickMemory = ReturnType<typeof createTickMemory>;

/** Kept in `path`. A file nobody can read costs one period: the agents look that much later. */
export function createTickMemory({ path, log }: { readonly path: string; readonly log: Log }) {
  const agents = new Map<string, Remembered>();
  const state = { dirty: false, closed: false };
  const writes = createSerialQueue();

  async function write(): Promise<void> {
    if (!state.dirty) return;
    state.dirty = false;
    try {
      await writeFileAtomic(path, `${JSON.stringify({ version: 1, agents: Object.fromEntries(agents) })}\n`, {
        sync: false,
      });
    } catch (error) {
      log.warn('heartbeat.memory', { path, error }); // the next change tries again; until then it is kept in memory alone
    }
  }

  return {
    async load(): Promise<void> {
      try {
        const text = await readTextIfExists(path);
        if (text === undefined) return;
        for (const [id, known] of Object.entries(fileSchema.parse(JSON.parse(text)).agents))
          agents.set(id, { ...(known as Remembered), ...agents.get(id) }); // what this run knows already is newer
      } catch (error) {
        if (!(error instanceof z.ZodError || error instanceof SyntaxError || asAppError(error).code === 'storage'))
          throw error;
        log.warn('heartbeat.memory', { path, error });
      }
    },
    get: (agentId: string): Remembered => agents.get(agentId) ?? {},
    /** Written soon; several changes at once are one. */
    put(agentId: string, patch: Remembered): void {
      if (state.closed) return;
      agents.set(agentId, { ...agents.get(agentId), ...patch });
      state.dirty = true;
      void writes.run(() => Promise.resolve().then(write));
    },
    reports: (): readonly HeartbeatReport[] => [...agents.values()].flatMap(({ last }) => last ?? []),
    /** Resolves once everything is written. Ticks that end later are not stored. */
    async close(): Promise<void> {
      state.closed = true;
      await writes.idle();
    },
  };
}
