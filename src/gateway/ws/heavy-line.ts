/**
 * Requests of one client whose answers may be large: each begins once the client has taken what came before, and none
 * waits for the work of another.
 */
import type { Clock } from '../../platform/clock.ts';
import { createSerialQueue } from '../../platform/keyed-queue.ts';
import { createSemaphore } from '../../platform/semaphore.ts';
import type { Connection } from './connection.ts';

export interface HeavyLine {
  /**
   * `work` makes an answer and resolves with what sends it. Settles with the work, after the answer was sent; where the
   * connection has ended meanwhile, the work does not begin.
   */
  run(work: () => Promise<() => void>): Promise<void>;
}

/** Work that takes longer waits for something else, a page or a disk: the next begins beside it. */
const OVERTAKE_AFTER_MS = 100;
/** So many are at work, or hold an answer that the client has no room for. */
const AT_ONCE = 16;

export interface HeavyLineDeps {
  readonly connection: Pick<Connection, 'caughtUp'>;
  readonly clock: Pick<Clock, 'setTimeout'>;
  readonly signal: AbortSignal;
}

/** Quick work is done one after the other, so that a client that reads nothing holds one answer, not all of them. */
export function createHeavyLine({ connection, clock, signal }: HeavyLineDeps): HeavyLine {
  const [begins, answers] = [createSerialQueue(), createSerialQueue()];
  const places = createSemaphore(AT_ONCE);

  async function one(work: () => Promise<() => void>, next: () => void): Promise<void> {
    await connection.caughtUp();
    if (signal.aborted) return;
    const timer = clock.setTimeout(next, OVERTAKE_AFTER_MS);
    try {
      const send = await work();
      await answers.run(async () => {
        await connection.caughtUp();
        send();
      });
    } finally {
      timer.cancel();
    }
  }

  return {
    run(work) {
      const over = Promise.withResolvers<void>();
      void begins.run(
        () =>
          new Promise<void>((next) => {
            over.resolve(places.run(() => one(work, next)).finally(next));
          }),
      );
      return over.promise;
    },
  };
}
