/** Reads the daemon's events while the account is connected, and reconnects after each failure. */
import { AppError, backoff, jittered, pause, type Log } from '../../sdk/index.ts';
import { readEventStream } from '../../sdk/event-stream.ts';

export interface EventsDeps {
  readonly url: string;
  readonly account: string;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Where to go on: of the last event that is taken. */
  lastId(): string | undefined;
  /** It is connected; rejects where it is not to go on. */
  onUp(): Promise<void>;
  /** It broke, for the n-th time in a row. */
  onDown(error: AppError, times: number): void;
  onAlive(): void;
  onEvent(id: string | undefined, data: string): void;
}

export interface Events extends AsyncDisposable {
  /** Resolves when the first connection stands. Rejects with why it cannot. */
  readonly ready: Promise<void>;
}

const CONNECT_MS = 15_000;
/** The daemon says that it is there every 15 seconds. */
const IDLE_MS = 50_000;
const BACKOFF_MS = { first: 250, max: 10_000 } as const;
/** Unknown to every daemon: it sends all that it still has. */
const FROM_THE_START = '0';

export function openEvents(deps: EventsDeps): Events {
  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  const ready = Promise.withResolvers<void>();
  const running = run(deps, signal, ready).catch(ready.reject);
  return {
    ready: ready.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

async function run(deps: EventsDeps, signal: AbortSignal, ready: PromiseWithResolvers<void>): Promise<void> {
  for (let times = 1; !signal.aborted; times += 1) {
    const state = { up: false };
    const error = await once(deps, signal, async () => {
      state.up = true;
      await deps.onUp();
      ready.resolve();
    });
    if (signal.aborted) break;
    if (state.up) times = 1;
    deps.onDown(error, times);
    if (!state.up || error.code === 'auth') ready.reject(error); // of no effect once it was ready
    await pause(jittered(backoff(BACKOFF_MS, times - 1), [0.5, 1], Math.random()), signal);
  }
  ready.reject(new AppError('aborted', 'The account was stopped.'));
}

/** How one connection ended. */
async function once(deps: EventsDeps, signal: AbortSignal, up: () => Promise<void>): Promise<AppError> {
  const stop = new AbortController();
  const state: { refused?: AppError } = {};
  try {
    await readEventStream({
      service: 'signal-cli',
      url: `${deps.url}/api/v1/events?account=${encodeURIComponent(deps.account)}`,
      headers: { 'last-event-id': deps.lastId() ?? FROM_THE_START },
      connectMs: CONNECT_MS,
      idleMs: IDLE_MS,
      signal: AbortSignal.any([signal, stop.signal]),
      onOpen() {
        void up().catch((error: unknown) => {
          state.refused =
            error instanceof AppError ? error : new AppError('internal', 'not an error', { cause: error });
          stop.abort();
        });
      },
      onAlive: deps.onAlive,
      onEvent: ({ id, data }) => deps.onEvent(id, data),
    });
    return state.refused ?? new AppError('network', 'signal-cli ended the connection for its events.');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return state.refused ?? error;
  }
}
