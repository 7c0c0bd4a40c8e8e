/**
 * The connection of one account: reopened with backoff when it ends, until WhatsApp logs the device out, too many
 * attempts fail, or the account stops.
 */
import { AppError, markHandled, jittered, orTimeout, pause, type Log } from '../../sdk/index.ts';
import type { WhatsappConfig } from './config.ts';
import { comesAgain } from './disconnects.ts';
import type { WaSocket } from './socket.ts';

export interface SessionDeps {
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly times: WhatsappConfig['reconnect'];
  open(signal: AbortSignal): Promise<WaSocket>;
  onUp(socket: WaSocket): void;
  onDown(why: AppError): void;
}

export interface Session extends AsyncDisposable {
  /** Waits a moment for a connection that comes back. Rejects with why there is none. */
  ready(): Promise<WaSocket>;
  /** Undefined while there is no connection. */
  readonly socket: WaSocket | undefined;
  /** Rejects when it is over for good. */
  readonly ended: Promise<never>;
}

/** A connection that held this long begins with the first pause again. */
const STEADY_MS = 30_000;
const READY_MS = 5000;
const AGAIN_MS = 50;

interface State {
  socket?: WaSocket | undefined;
  over?: AppError;
  /** The next connection. */
  back: PromiseWithResolvers<WaSocket>;
}

/** Resolves once the first connection stands. */
export async function openSession(deps: SessionDeps): Promise<Session> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, deps.signal]);
  const ended = Promise.withResolvers<never>();
  markHandled(ended.promise); // whoever wants to know looks at `ended`
  const state: State = { socket: await firstOf(deps, signal), back: Promise.withResolvers() };
  const keeping = keepOpen(deps, state, signal).catch((error: unknown) => {
    state.over =
      error instanceof AppError ? error : new AppError('internal', 'The connection failed.', { cause: error });
    ended.reject(state.over);
  });
  return {
    get socket() {
      return state.socket;
    },
    async ready() {
      if (state.over) throw state.over;
      if (state.socket) return state.socket;
      return orTimeout(Promise.race([state.back.promise, ended.promise]), {
        ms: READY_MS,
        error: () => new AppError('unavailable', 'There is no connection to WhatsApp at the moment.'),
      });
    },
    ended: ended.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await state.socket?.[Symbol.asyncDispose]();
      await keeping;
    },
  };
}

/** After a login WhatsApp asks once to come again. */
async function firstOf(deps: SessionDeps, signal: AbortSignal): Promise<WaSocket> {
  try {
    return await deps.open(signal);
  } catch (error) {
    if (!(error instanceof AppError) || !comesAgain(error) || signal.aborted) throw error;
    return deps.open(signal);
  }
}

async function keepOpen(deps: SessionDeps, state: State, signal: AbortSignal): Promise<void> {
  let attempts = 0;
  while (!signal.aborted) {
    const since = performance.now();
    deps.onUp(state.socket!);
    const why = await state.socket!.over;
    state.socket = undefined;
    if (signal.aborted) return;
    deps.onDown(why);
    if (!why.retryable) throw why;
    attempts = performance.now() - since < STEADY_MS ? attempts + 1 : 0;
    const next = await reopen(deps, signal, comesAgain(why) ? -1 : attempts);
    if (!next) return;
    if (signal.aborted) return void (await next[Symbol.asyncDispose]());
    state.socket = next;
    state.back.resolve(next);
    state.back = Promise.withResolvers();
  }
}

/** Undefined: nobody wants it any more. */
async function reopen(deps: SessionDeps, signal: AbortSignal, before: number): Promise<WaSocket | undefined> {
  const { times, log } = deps;
  for (let attempt = before; ; attempt++) {
    const wait = attempt < 0 ? AGAIN_MS : Math.min(times.maxMs, times.firstMs * times.factor ** attempt);
    if (!(await pause(jittered(wait, [0.75, 1.25], Math.random()), signal))) return undefined;
    try {
      return await deps.open(signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof AppError) || !error.retryable || attempt >= times.maxAttempts) throw error;
      log.warn('whatsapp.reconnect', { attempt: attempt + 1, reason: error.message });
      deps.onDown(error);
    }
  }
}
