/** How much memory this process may use. */
import { totalmem } from 'node:os';

/** Bytes: what the machine has, or the container it runs in. */
export function usableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
