/** Derives the next step between two sessions from the finished ones, with the same result after a restart. Pure. */
import { REPLY_SKIP, type ExchangeStep } from '../../core/trigger.ts';
import type { Exchange } from './exchange.ts';
import { isWord } from './plain-reply.ts';

/** How a step came out. `text` is without thoughts; empty: it said nothing. */
export type StepEnd =
  | { readonly kind: 'said'; readonly text: string }
  /** By a person, or because nobody may answer there. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** `end` absent: it waits or runs. */
export interface Step {
  readonly step: ExchangeStep;
  readonly end?: StepEnd | undefined;
}

export type Next =
  | { readonly kind: 'wait' }
  | { readonly kind: 'over' }
  /** `turn`: which of the answers they give each other, from 1. */
  | {
      readonly kind: 'step';
      readonly step: ExchangeStep;
      readonly side: 'requester' | 'target';
      readonly turn?: number;
    };

const OVER: Next = { kind: 'over' };

export function nextStep(exchange: Pick<Exchange, 'kind' | 'turns' | 'announce'>, steps: readonly Step[]): Next {
  const last = steps.at(-1);
  if (last && !last.end) return { kind: 'wait' };
  return exchange.kind === 'spawn' ? afterSpawn(last) : afterSend(exchange, steps, last);
}

function afterSpawn(last: Step | undefined): Next {
  if (!last) return { kind: 'step', step: 'task', side: 'target' };
  return last.step === 'task' ? { kind: 'step', step: 'result', side: 'requester' } : OVER;
}

function afterSend(
  { turns, announce }: Pick<Exchange, 'turns' | 'announce'>,
  steps: readonly Step[],
  last: Step | undefined,
): Next {
  if (!last) return { kind: 'step', step: 'ask', side: 'target' };
  // A person who stops one of them wants no more of it; without an answer there is nothing to go on with.
  if (!announce || last.step === 'announce' || last.end!.kind === 'stopped' || !saidSomething(steps[0]!.end))
    return OVER;
  const answers = steps.length - 1;
  if (answers < turns && goesOn(last.end!))
    return { kind: 'step', step: 'reply', side: answers % 2 === 0 ? 'requester' : 'target', turn: answers + 1 };
  return { kind: 'step', step: 'announce', side: 'target' };
}

const saidSomething = (end: StepEnd | undefined): boolean => end?.kind === 'said' && end.text !== '';
const goesOn = (end: StepEnd): boolean => end.kind === 'said' && end.text !== '' && !isWord(end.text, REPLY_SKIP);

/** What was said last by one side that is worth telling on. */
export const lastSaid = (steps: readonly Step[]): string | undefined =>
  steps
    .flatMap(({ step, end }) => (step !== 'announce' && end?.kind === 'said' && goesOn(end) ? [end.text] : []))
    .at(-1);
