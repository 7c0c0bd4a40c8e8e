/** What is wrong with an account right now: each cause has its own entry, and status sees them together. */
import type { AccountFacts, ChannelProblem } from '../../sdk/index.ts';

export interface ProblemBoard {
  /** The problem of a cause; undefined: it is over. */
  set(cause: string, problem: ChannelProblem | undefined): void;
}

export function createProblemBoard(report: (facts: AccountFacts) => void): ProblemBoard {
  const current = new Map<string, ChannelProblem>();
  return {
    set(cause, problem) {
      if (problem === undefined ? !current.delete(cause) : current.get(cause)?.message === problem.message) return;
      if (problem) current.set(cause, problem);
      report({ problems: [...current.values()] });
    },
  };
}
