/** How many turns of a kind may run at once. */
import type { WorkKind } from '../sessions/lanes.ts';
import type { Config } from '../schema.ts';

/** What one session asks another for is bounded by what runs already: holding it back would only make both wait. The scheduler counts its jobs itself. `room`: what the limit of open files allows. */
export function mostAtOnce(kind: WorkKind, { agents: { defaults } }: Pick<Config, 'agents'>, room: number): number {
  switch (kind) {
    case 'main': return Math.min(room, defaults.maxConcurrent);
    case 'subagent': return Math.min(room, defaults.subagents.maxConcurrent);
    case 'nested': case 'cron': return Infinity;
  }
}
