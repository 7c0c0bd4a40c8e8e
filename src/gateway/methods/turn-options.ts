/** Parses the options that a request sets for one turn. */
import { THINKING_LEVELS, type ThinkingLevel } from '../../core/turn.ts';
import { refuse } from './method.ts';
import { head } from '../../core/cut.ts';

/** An unknown level is an error, not a silent default. */
export function thinkingLevel(name: string | undefined): { thinking?: ThinkingLevel } {
  if (!name) return {};
  const level = THINKING_LEVELS.find((known) => known === name.trim().toLowerCase());
  if (!level) throw refuse(`thinking: unknown level "${head(name, 40)}"; use one of ${THINKING_LEVELS.join(', ')}`);
  return { thinking: level };
}
