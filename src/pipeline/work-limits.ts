/** How many turns of a kind may run at once. */
import type { WorkKind } from '../sessions/lanes.ts';
import type { AgentsConfig } from '../agent/config.ts';

/**
 * What nobody waits for has places of its own: people never stand behind it, and it never
 * stands still.
 */
const BACKGROUND_SHARE = 4;

/**
 * A turn waits for networks more than it works, and holds its conversation meanwhile: eight for each GiB, at least 4
 * and at most 64.
 */
export const turnsByMemory = (bytes: number): number => Math.min(64, Math.max(4, Math.floor((bytes / 2 ** 30) * 8)));

/** What the machine allows. */
export interface WorkCapacity {
  /** Turns, by the limit of open files. */
  readonly files: number;
  /** Bytes. */
  readonly memory: number;
}

/** What one turn asks another for is bounded by what runs already: holding it back would only make both wait. */
export function maxAtOnce(
  kind: WorkKind,
  { agents: { defaults } }: { readonly agents: AgentsConfig },
  { files, memory }: WorkCapacity,
): number {
  const atOnce = Math.min(files, defaults.maxConcurrent ?? turnsByMemory(memory));
  switch (kind) {
    case 'main':
      return atOnce;
    case 'background':
      return Math.max(1, Math.floor(atOnce / BACKGROUND_SHARE));
    case 'subagent':
      return Math.min(files, defaults.subagents.maxConcurrent);
    case 'nested':
    case 'counted':
      return Infinity;
  }
}
