/** The line about canvases in `status`. Pure. */
import type { CanvasEntry } from './canvas-tables.ts';

/** Empty where no session has a surface. `viewers`: pages that show one now. */
export function statusOf(canvases: readonly CanvasEntry[], viewers: number): Readonly<Record<string, unknown>> {
  if (canvases.length === 0) return {};
  const surfaces = canvases.reduce((sum, one) => sum + one.surfaces, 0);
  const summary = `${count(surfaces, 'surface')} in ${count(canvases.length, 'session')}, ${count(viewers, 'viewer')}`;
  return { canvas: { surfaces, sessions: canvases.length, viewers, summary } };
}

/** `1 surface`, `2 surfaces`. */
export const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`;
