/** Requests with replies: what arrives between a line and the reply to a following PING belongs to that line. */
import { randomUUID } from 'node:crypto';
import { AppError, createSerialQueue, orAborted, orTimeout } from '../../sdk/index.ts';
import type { IrcMessage } from './message.ts';
import type { Wire } from './wire.ts';

export interface Requests {
  /**
   * What came back. Rejects with `network` or `timeout` where the answer never came: whether the line arrived is not
   * known then.
   */
  ask(wire: Wire, lines: (wire: Wire) => void, signal?: AbortSignal): Promise<readonly IrcMessage[]>;
  /** True: it was the end of an answer. */
  take(message: IrcMessage): boolean;
  /** The connection is over. */
  lost(why: AppError): void;
}

const ANSWER_MS = 30_000;

export function createRequests(): Requests {
  const queue = createSerialQueue();
  const state: { token?: string; received: IrcMessage[]; over?: PromiseWithResolvers<readonly IrcMessage[]> } = {
    received: [],
  };

  async function ask(wire: Wire, lines: (wire: Wire) => void): Promise<readonly IrcMessage[]> {
    if (wire.lost) throw new AppError('unavailable', 'There is no connection to the IRC server.');
    const over = Promise.withResolvers<readonly IrcMessage[]>();
    Object.assign(state, { token: `c-${randomUUID().slice(0, 12)}`, received: [], over });
    lines(wire);
    wire.send('PING', [state.token!]);
    try {
      return await orTimeout(over.promise, {
        ms: ANSWER_MS,
        error: () => new AppError('timeout', 'The IRC server did not answer in time.'),
      });
    } finally {
      delete state.over;
    }
  }
  return {
    ask: (wire, lines, signal) =>
      orAborted(
        queue.run(() => ask(wire, lines)),
        signal,
      ),
    take(message) {
      if (!state.over) return false;
      if (message.command !== 'PONG' || message.params.at(-1) !== state.token) {
        state.received.push(message);
        return false;
      }
      state.over.resolve(state.received);
      return true;
    },
    lost: (why) => state.over?.reject(why),
  };
}
