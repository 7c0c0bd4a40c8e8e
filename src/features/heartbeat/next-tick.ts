/**
 * When the next tick of an agent is due: on a grid that a restart or a long tick does not shift. Milliseconds since the
 * epoch.
 */

export interface TickTimes {
  readonly everyMs: number;
  readonly now: number;
}

/** The first moment of the grid of `due` that is still to come. */
export function afterTick(due: number, { everyMs, now }: TickTimes): number {
  return due > now ? due : due + (Math.floor((now - due) / everyMs) + 1) * everyMs;
}

/**
 * What was planned, as far as it still makes sense: nothing planned, or planned further off than a period (the period
 * was
 * shortened, the clock was set back), and it is a period from now. `opening`: when quiet hours end, which may be later.
 * What is past stays: it is made up for once.
 */
export function plannedTick(
  planned: number | undefined,
  { everyMs, now, opening }: TickTimes & { readonly opening: number | undefined },
): number {
  const latest = Math.max(now + everyMs, opening ?? 0);
  return planned === undefined ? now + everyMs : Math.min(planned, latest);
}
