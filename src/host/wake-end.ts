/** The outcome of a turn that was started by a wake, now or when it ends. */
import { AppError } from '../core/errors.ts';
import { SUSPENDED_CODE, type TurnOutcome } from '../core/turn.ts';
import type { InboundRow } from '../journal/rows.ts';
import type { EndedRun, Runs } from './runs.ts';
import type { WakeResult } from './wake.ts';

/** It was interrupted by the end of the process: this is no end, it goes on in the next run. */
export const isSuspended = (outcome: TurnOutcome): boolean =>
  outcome.kind === 'failed' && outcome.code === SUSPENDED_CODE;

/** Where the end of a woken turn is reported and stored. */
export interface WakeEndDeps {
  readonly runs: Pick<Runs, 'whenEnded'>;
  find(runId: string): Promise<InboundRow | undefined>;
}

/** Rejects with `aborted` when the gateway stops before the turn has ended. */
export async function wakeEnd({ runId, state, reason }: InboundRow, { runs, find }: WakeEndDeps): Promise<WakeResult> {
  const run = runs.whenEnded(runId);
  if (run) return resultOf(await run, await find(runId));
  switch (state) {
    case 'accepted':
      throw new AppError('aborted', 'The turn will be resumed.');
    case 'answered':
      return { status: 'ran', runId };
    case 'declined':
      return { status: 'skipped', reason: reason ?? state, runId };
    case 'failed':
      return { status: 'failed', error: reason ?? 'It failed.', runId };
  }
}

function resultOf({ runId, outcome }: EndedRun, row: InboundRow | undefined): WakeResult {
  if (isSuspended(outcome))
    throw new AppError('aborted', 'The gateway is stopping; the agent continues after the next start.');
  switch (outcome.kind) {
    case 'done':
      return row?.state === 'declined'
        ? { status: 'skipped', reason: row.reason ?? row.state, runId }
        : { status: 'ran', runId };
    case 'aborted':
      return { status: 'failed', reason: 'stopped', error: 'The turn was stopped.', runId };
    case 'failed':
      return { status: 'failed', reason: outcome.code, error: outcome.message, runId };
  }
}
