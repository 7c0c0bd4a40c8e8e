/** Combines the connection status of several parts into one. */
import { createProblemBoard, type ChannelAccount, type ChannelProblem } from '../../sdk/index.ts';

export interface Status {
  up(connected: boolean): void;
  /** Undefined: that part has nothing to complain about any more. */
  problem(part: string, problem: ChannelProblem | undefined): void;
  alive(): void;
  inbound(): void;
  readonly lastInboundAt: number | undefined;
}

export function createStatus(report: ChannelAccount<unknown>['report']): Status {
  const board = createProblemBoard(report);
  const state: { lastInboundAt?: number } = {};
  return {
    up: (connected) => report({ connected }),
    problem: board.set,
    alive: () => report({ alive: true }),
    inbound: () => void (state.lastInboundAt = Date.now()),
    get lastInboundAt() {
      return state.lastInboundAt;
    },
  };
}
