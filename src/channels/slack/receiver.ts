/** Takes in updates in order per chat, after catch-up; retries until recorded and only then acknowledges. */
import { createIntake, type InboundMessage, type Log, type Receipt, within } from '../../sdk/index.ts';
import { chatOf, type Update } from './update.ts';

export interface Receiver extends AsyncDisposable {
  /** Resolves once nothing of it can be lost any more: it may be acknowledged. Rejects when it was not taken. */
  offer(update: Update): Promise<void>;
  /**
   * Updates offered from now on wait until `work` is done, at most `limitMs`; what `work` takes comes before them;
   * `take` answers whether it was news.
   */
  first(work: (take: (update: Update) => Promise<boolean>) => Promise<void>, limitMs: number): Promise<void>;
}

export interface ReceiverDeps {
  readonly log: Log;
  /** Undefined: it is no message. */
  read(update: Update): Promise<InboundMessage | undefined>;
  receive(message: InboundMessage): Promise<Receipt>;
  onTaken(update: Update, message: InboundMessage): void;
}

/** More than that at once are left to the platform, which delivers again. */
const MAX_PENDING = 2000;

export function createReceiver({ log, read, receive, onTaken }: ReceiverDeps): Receiver {
  const intake = createIntake({ log, maxPending: MAX_PENDING });
  const state: { gate?: Promise<void> | undefined } = {};

  /** True: it was news. */
  async function take(update: Update): Promise<boolean> {
    const receipt = await intake.take(chatOf(update), async () => {
      const message = await readSafely(read, update, log);
      if (!message) return undefined;
      const taken = await receive(message);
      onTaken(update, message);
      return taken;
    });
    return receipt?.status === 'accepted';
  }

  return {
    async offer(update) {
      if (state.gate) await state.gate;
      await take(update);
    },
    async first(work, limitMs) {
      const done = work(take).catch((error: unknown) =>
        log.warn('slack.catch-up', { reason: error instanceof Error ? error.message : 'unknown' }),
      );
      const gate = within(done, { ms: limitMs, otherwise: undefined });
      state.gate = gate;
      await gate;
      if (state.gate === gate) state.gate = undefined;
    },
    [Symbol.asyncDispose]: () => intake[Symbol.asyncDispose](),
  };
}

/** Outside text: what cannot be read is no reason to stop, and would be no better the next time. */
async function readSafely(read: ReceiverDeps['read'], update: Update, log: Log): Promise<InboundMessage | undefined> {
  try {
    return await read(update);
  } catch (error) {
    log.warn('slack.unreadable', {
      kind: update.kind,
      type: String(update.body['type']).slice(0, 40),
      reason: error instanceof Error ? error.name : 'unknown',
    });
    return undefined;
  }
}
