/** Matches one entry of a list of agents: an exact id, or a pattern with `*`, case-insensitive. Pure. */
import { fitsStars } from '../../core/star-pattern.ts';

export function readPattern(written: string): (agentId: string) => boolean {
  const pattern = written.trim();
  if (!pattern.includes('*')) return (agentId) => agentId === pattern;
  const folded = pattern.toLowerCase();
  return (agentId) => fitsStars(folded, agentId.toLowerCase());
}
