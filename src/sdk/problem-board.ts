/** The current problems of an account, one entry per cause; the status shows all of them. */
import type { AccountFacts, ChannelProblem } from '../core/channel.ts';

/** The open problems of one account, by cause. */
export interface ProblemBoard {
  /** The problem of a cause; undefined: it is over. Reported only where it changes what is wrong. */
  set(cause: string, problem: ChannelProblem | undefined): void;
}

/** Starts without problems; `report` is called on each change. */
export function createProblemBoard(report: (facts: AccountFacts) => void): ProblemBoard {
  const current = new Map<string, ChannelProblem>();
  return {
    set(cause, problem) {
      if (isSame(current.get(cause), problem)) return;
      if (problem) current.set(cause, problem);
      else current.delete(cause);
      report({ problems: [...current.values()] });
    },
  };
}

const isSame = (one: ChannelProblem | undefined, other: ChannelProblem | undefined): boolean =>
  one?.kind === other?.kind && one?.message === other?.message && one?.fix === other?.fix;
