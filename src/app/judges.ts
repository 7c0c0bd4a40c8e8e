/** One judge for every kind of answer nobody asked for: by what its turn was for. */
import type { Judge } from '../agent/turn/verdict.ts';
import type { TurnOrigin } from '../core/errand.ts';

/** A kind without a judge is said as a message's answer is. */
export const joinJudges = (judges: Partial<Readonly<Record<TurnOrigin, Judge>>>): Judge => (turn, outcome, judged) => judges[turn.origin]?.(turn, outcome, judged) ?? {};
