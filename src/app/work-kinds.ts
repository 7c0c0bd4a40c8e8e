/** How many turns of a kind may run at once. */
import type { WorkKind } from '../sessions/lanes.ts';
import type { Config } from '../schema.ts';

/** What one session asks another for is bounded by what runs already: holding it back would only make both wait. The scheduler counts its jobs itself. */
export function mostAtOnce(kind: WorkKind, { agents: { defaults } }: Pick<Config, 'agents'>): number {
  switch (kind) {
    case 'main': return defaults.maxConcurrent;
    case 'subagent': return defaults.subagents.maxConcurrent;
    case 'nested': case 'cron': return Infinity;
  }
}
