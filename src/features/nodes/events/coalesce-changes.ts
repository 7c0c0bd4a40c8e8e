/** Coalesces changes of a node: the first is reported at once, further ones together, so that many make no flood. */
import type { Clock } from '../../../platform/clock.ts';

const EVERY_MS = 500;

/** Calls `tell` at once, then at most twice a second for one node, and always after its last change. */
export function coalesceChanges(
  clock: Pick<Clock, 'setTimeout'>,
  tell: (nodeId: string) => void,
): (nodeId: string) => void {
  const resting = new Map<string, { again: boolean }>();
  const changed = (nodeId: string): void => {
    const known = resting.get(nodeId);
    if (known) return void (known.again = true);
    const rest = { again: false };
    resting.set(nodeId, rest);
    tell(nodeId);
    const over = (): void => {
      resting.delete(nodeId);
      if (rest.again) changed(nodeId);
    };
    clock.setTimeout(over, EVERY_MS).unref();
  };
  return changed;
}
