/** The connection of one account: reopened with backoff when it ends, until login is refused or the account stops. */
import {
  AppError,
  backoff,
  markHandled,
  jittered,
  orTimeout,
  pause,
  type ChannelProblem,
  type Log,
} from '../../sdk/index.ts';
import type { IrcMessage } from './message.ts';
import type { Registered } from './register.ts';
import type { Wire } from './wire.ts';

/** One connection that stands. */
export interface Line {
  readonly wire: Wire;
  readonly who: Registered & { nick: string };
}

export interface SessionDeps {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Dials and introduces us. */
  open(signal: AbortSignal): Promise<Line>;
  /** It stands; messages come after it. */
  onUp(line: Line): void;
  onDown(problem?: ChannelProblem): void;
  onMessage(message: IrcMessage, line: Line): void;
}

export interface Session extends AsyncDisposable {
  /** Undefined while there is no connection. */
  readonly line: Line | undefined;
  /** The connection, once there is one again; waits a moment for it. Rejects with why there is none. */
  ready(): Promise<Line>;
  /** Rejects when it is over for good. */
  readonly ended: Promise<never>;
  end(why: AppError): void;
}

const BACKOFF_MS = { first: 500, max: 60_000 } as const;
/** A connection that ended sooner was none: servers turn away who comes back too often. */
const LIVED_MS = 20_000;
/** What is to be sent waits so long for a connection that comes back. */
const READY_MS = 5000;

/** Resolves once the first connection stands. */
export async function openSession(deps: SessionDeps): Promise<Session> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, deps.signal]);
  const ended = Promise.withResolvers<never>();
  markHandled(ended.promise); // whoever wants to know looks at `ended`
  const state: State = { line: await deps.open(signal), back: Promise.withResolvers() };
  const end = (why: AppError): void => {
    state.over ??= why;
    ended.reject(why);
    state.line?.wire.drop(why);
    stop.abort();
  };
  const keeping = keepOpen(deps, state, signal).catch((error: unknown) =>
    end(error instanceof AppError ? error : new AppError('internal', 'The IRC connection failed.', { cause: error })),
  );
  return {
    get line() {
      return state.line;
    },
    async ready() {
      if (state.over) throw state.over;
      if (state.line && !state.line.wire.lost) return state.line;
      return orTimeout(Promise.race([state.back.promise, ended.promise]), {
        ms: READY_MS,
        error: () => new AppError('unavailable', 'There is no connection to the IRC server at the moment.'),
      });
    },
    ended: ended.promise,
    end,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await state.line?.wire[Symbol.asyncDispose]();
      await keeping;
    },
  };
}

interface State {
  line?: Line | undefined;
  over?: AppError;
  /** The next connection. */
  back: PromiseWithResolvers<Line>;
}

async function keepOpen(deps: SessionDeps, state: State, signal: AbortSignal): Promise<void> {
  let short = 0;
  while (!signal.aborted) {
    const since = performance.now();
    const { line } = state;
    if (line) await follow(line, deps);
    state.line = undefined;
    if (signal.aborted) return;
    deps.onDown();
    short = performance.now() - since < LIVED_MS ? short + 1 : 0;
    const next = await reopen(deps, signal, Math.max(0, short - 1));
    if (!next) return;
    if (signal.aborted) return void (await next.wire[Symbol.asyncDispose]());
    state.line = next;
    state.back.resolve(next);
    state.back = Promise.withResolvers();
  }
}

/** Until the connection is over. */
async function follow(line: Line, { onUp, onMessage }: SessionDeps): Promise<void> {
  onUp(line);
  for (;;) {
    const message = await line.wire.read();
    if (!message) return;
    onMessage(message, line);
  }
}

/** Undefined: nobody wants it any more. `before`: how many failures went before. */
async function reopen(deps: SessionDeps, signal: AbortSignal, before: number): Promise<Line | undefined> {
  for (let failures = before; !signal.aborted; failures++) {
    const wait = failures === 0 ? 50 : backoff(BACKOFF_MS, failures - 1);
    if (!(await pause(jittered(wait, [0.75, 1.25], Math.random()), signal))) return undefined;
    try {
      return await deps.open(signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof AppError) || !error.retryable) throw error;
      deps.log.warn('irc.reconnect', { failures: failures + 1, reason: error.message });
      deps.onDown({ kind: 'runtime', message: `The IRC server cannot be reached: ${error.message}` });
    }
  }
  return undefined;
}
