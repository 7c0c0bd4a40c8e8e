/**
 * The lanes of all sessions, as everybody but the path of a message knows them: made empty, so that who stops, lists or
 * waits for turns need not know who runs them. The path of a message serves them.
 */
import { AppError } from '../core/errors.ts';
import type { InboundRow } from '../journal/rows.ts';
import { createLanes, type LaneDeps, type LaneItem, type Lanes } from '../sessions/lanes.ts';

/** A message waiting in its lane. */
export interface Waiting extends LaneItem {
  readonly row: InboundRow;
}

/** Who runs turns, and who hears of what is not answered. */
export type LaneWork = Pick<LaneDeps<Waiting>, 'run' | 'onDropped'>;

export interface TurnLanes extends Lanes<Waiting> {
  /** Before the first message; the last one that says so serves them. */
  serve(work: LaneWork): void;
}

const NOBODY: LaneWork = {
  run: () => Promise.reject(new AppError('internal', 'The lanes have no worker.')),
  onDropped: () => undefined,
};

export function createTurnLanes(deps: Omit<LaneDeps<Waiting>, keyof LaneWork>): TurnLanes {
  const served = { by: NOBODY };
  const lanes = createLanes<Waiting>({
    ...deps,
    run: (...turn) => served.by.run(...turn),
    onDropped: (...dropped) => served.by.onDropped(...dropped),
  });
  return Object.assign(lanes, { serve: (work: LaneWork): void => void (served.by = work) });
}
