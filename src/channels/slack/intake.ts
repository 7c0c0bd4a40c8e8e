/**
 * The way of an update into the gateway: in the order of its chat, offered again until it is taken, and only then
 * acknowledged.
 */
import { AppError, backoff, type InboundMessage, jittered, type Log, pause, type Receipt } from '../../sdk/index.ts';
import { chatOf, type Update } from './update.ts';

export interface Intake extends AsyncDisposable {
  /** Resolves once nothing of it can be lost any more: it may be acknowledged. Rejects when it was not taken. */
  offer(update: Update): Promise<void>;
  /**
   * Updates offered from now on wait until `work` is done, at most `limitMs`; what `work` takes comes before them;
   * `take` answers whether it was news.
   */
  first(work: (take: (update: Update) => Promise<boolean>) => Promise<void>, limitMs: number): Promise<void>;
}

export interface IntakeDeps {
  readonly log: Log;
  /** Undefined: it is no message. */
  read(update: Update): Promise<InboundMessage | undefined>;
  receive(message: InboundMessage): Promise<Receipt>;
  onTaken(update: Update, message: InboundMessage): void;
}

/** More than that at once are left to the platform, which delivers again. */
const PENDING = 2000;
const BACKOFF_MS = { first: 200, most: 10_000 } as const;
const CLOSE_MS = 5000;

export function createIntake({ log, read, receive, onTaken }: IntakeDeps): Intake {
  const tails = new Map<string, Promise<void>>();
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  const state: { gate: Promise<void> } = { gate: Promise.resolve() };

  /** True: it was news. */
  async function take(update: Update): Promise<boolean> {
    const message = await readSafely(read, update, log);
    if (!message) return false;
    for (let tries = 0; ; tries++) {
      if (stop.signal.aborted) throw stopped();
      try {
        const { status } = await receive(message);
        onTaken(update, message);
        return status === 'accepted';
      } catch (error) {
        log.warn('slack.receive', { tries: tries + 1, reason: error instanceof Error ? error.message : 'unknown' });
        await pause(waitMs(error, tries), stop.signal);
      }
    }
  }

  function follow(chat: string, before: Promise<void>, update: Update): Promise<void> {
    const taken = before.then(() => take(update)).then(() => undefined);
    const tail = taken.then(
      () => undefined,
      () => undefined,
    );
    tails.set(chat, tail);
    running.add(tail);
    void tail.then(() => {
      running.delete(tail);
      if (tails.get(chat) === tail) tails.delete(chat);
    });
    return taken;
  }

  return {
    async offer(update) {
      if (stop.signal.aborted) throw stopped();
      if (running.size >= PENDING) throw new AppError('overloaded', `${PENDING} messages of Slack wait already.`);
      const chat = chatOf(update);
      await follow(chat, tails.get(chat) ?? state.gate, update);
    },
    async first(work, limitMs) {
      const earlier = new Map(tails);
      const done = work(async (update) => {
        await earlier.get(chatOf(update));
        return take(update);
      }).catch((error: unknown) =>
        log.warn('slack.catch-up', { reason: error instanceof Error ? error.message : 'unknown' }),
      );
      const limit = new AbortController();
      state.gate = Promise.race([done, pause(limitMs, limit.signal)]);
      tails.clear(); // what comes now waits for the gate; what came before is in `earlier`, and dedupe keeps it single
      for (const [chat, tail] of earlier)
        tails.set(
          chat,
          Promise.all([tail, state.gate]).then(() => undefined),
        );
      await state.gate;
      limit.abort();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      const gone = new AbortController();
      await Promise.race([Promise.all(running).finally(() => gone.abort()), pause(CLOSE_MS, gone.signal)]);
    },
  };
}

/** Outside text: what cannot be read is no reason to stop, and would be no better the next time. */
async function readSafely(read: IntakeDeps['read'], update: Update, log: Log): Promise<InboundMessage | undefined> {
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

const stopped = (): AppError => new AppError('aborted', 'The Slack connection is closing.');

function waitMs(error: unknown, tries: number): number {
  const asked = error instanceof AppError ? error.retryAfterMs : undefined;
  return asked ?? jittered(backoff(BACKOFF_MS, tries), [0.75, 1.25], Math.random());
}
