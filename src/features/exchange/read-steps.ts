/** Reads the steps of an exchange from the journal, with their results. */
import { stepRunId, type Exchange } from './exchange.ts';
import type { Journal } from '../../journal/journal.ts';
import type { InboundRow, TurnRow } from '../../journal/rows.ts';
import type { Step, StepEnd } from './next-step.ts';
import { plainReply } from './plain-reply.ts';
import type { Effort } from './step-message.ts';

type Rows = { readonly inbound: Pick<Journal['inbound'], 'find'>; readonly turns: Pick<Journal['turns'], 'find'> };

/** In order; those the exchange could have at most bound the look. */
export async function readSteps(
  { id, turns }: Pick<Exchange, 'id' | 'turns'>,
  journal: Rows,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (let step = 0; step <= turns + 1; step++) {
    const row = await journal.inbound.find(stepRunId(id, step));
    if (!row || row.trigger?.origin !== 'session') break;
    steps.push({ step: row.trigger.step, end: await endOf(row, journal) });
  }
  return steps;
}

/** Undefined: the run has no end yet. What an interrupted gateway left is none. */
export async function endOf(row: InboundRow, journal: Rows): Promise<StepEnd | undefined> {
  if (row.state === 'accepted') return undefined;
  if (row.state === 'declined') return { kind: 'stopped' };
  const outcome = (await turnOf(row, journal))?.outcome;
  if (row.state === 'failed')
    return outcome?.kind === 'failed'
      ? { kind: 'failed', code: outcome.code, message: outcome.message }
      : { kind: 'failed', code: 'internal', message: row.reason ?? 'It failed.' };
  if (outcome?.kind === 'aborted') return { kind: 'stopped' };
  return { kind: 'said', text: outcome?.kind === 'done' ? plainReply(outcome.text) : '' };
}

/** What the work of a step took; undefined when no turn came of it. */
export async function effortOf(row: InboundRow | undefined, journal: Rows): Promise<Effort | undefined> {
  const turn = row && (await turnOf(row, journal));
  return turn && { runtimeMs: (turn.endedAt ?? turn.startedAt) - turn.startedAt, usage: turn.outcome?.usage };
}

const turnOf = (row: InboundRow, { turns }: Rows): Promise<TurnRow | undefined> => turns.find(row.turnId ?? row.runId);
