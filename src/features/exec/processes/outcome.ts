/** Interprets an exit code: shells report signals as codes above 128. Pure. */
import { present } from '../../../core/present.ts';
import type { EndReason, ProcessView } from '../../../core/shell.ts';
import { signalName } from '../platform/signal-name.ts';
import type { Outcome, ProcessRecord } from './process-record.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** `why`: what we did to it, when we did something. */
export function outcomeOf({ code, signal }: Exit, at: number, why: EndReason | undefined): Outcome {
  const exitSignal = signal ?? (code !== null && code > 128 ? signalName(code - 128) : undefined);
  return present({
    at,
    exitCode: code !== null ? code : undefined,
    exitSignal,
    reason: why ?? (exitSignal === undefined ? 'exit' : 'signal'),
  });
}

/** How something ends that has to. */
export const KILLED: Exit = { code: null, signal: 'SIGKILL' };

/** Of a process whose end nobody saw. */
export const lostOutcome = (at: number): Outcome => ({ at, reason: 'lost' });

export function statusOf({ over, outcome }: Pick<ProcessRecord, 'over' | 'outcome'>): ProcessView['status'] {
  if (!over) return 'running';
  return outcome?.reason === 'exit' && outcome.exitCode === 0 ? 'completed' : 'failed';
}
