/**
 * Keeps a folder read: connects again whenever the connection ends, with growing pauses, and takes what came meanwhile,
 * until the server refuses the password or nobody wants it.
 */
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
import { imapError, openImap, type ImapLine } from './imap-line.ts';
import type { ServerLogin } from './login.ts';

export interface ReadingDeps {
  readonly login: ServerLogin;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Takes all that is new; again and again while the connection stands. */
  sweep(line: ImapLine): Promise<void>;
  onUp(line: ImapLine): void;
  onDown(problem?: ChannelProblem): void;
  onAlive(): void;
}

export interface Reading extends AsyncDisposable {
  /** The connection; waits a moment for one. Rejects with why there is none. */
  ready(): Promise<ImapLine>;
  /** Rejects when it is over for good. */
  readonly ended: Promise<never>;
}

interface State {
  line: ImapLine | undefined;
  over?: AppError;
  back: PromiseWithResolvers<ImapLine>;
}

const BACKOFF_MS = { first: 500, max: 60_000 } as const;
/** A connection that ended sooner was none. */
const LIVED_MS = 20_000;
const READY_MS = 5000;
/** New mail is looked for so often even where the server announces it. */
const CHECK_EVERY_MS = 10 * 60_000;

/** Resolves once the first connection stands. */
export async function keepReading(deps: ReadingDeps): Promise<Reading> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, deps.signal]);
  const ended = Promise.withResolvers<never>();
  markHandled(ended.promise); // whoever wants to know looks at `ended`
  const state: State = { line: await openImap(deps.login, signal), back: Promise.withResolvers() };
  const keeping = keepOpen(deps, state, signal).catch((error: unknown) => {
    state.over =
      error instanceof AppError ? error : new AppError('internal', 'Reading the mailbox failed.', { cause: error });
    ended.reject(state.over);
    stop.abort();
  });
  return {
    ended: ended.promise,
    async ready() {
      if (state.over) throw state.over;
      if (state.line?.client.usable) return state.line;
      return orTimeout(Promise.race([state.back.promise, ended.promise]), {
        ms: READY_MS,
        error: () => new AppError('unavailable', 'There is no connection to the IMAP server at the moment.'),
      });
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await state.line?.[Symbol.asyncDispose]();
      await keeping;
    },
  };
}

async function keepOpen(deps: ReadingDeps, state: State, signal: AbortSignal): Promise<void> {
  let short = 0;
  while (!signal.aborted) {
    const since = performance.now();
    const { line } = state;
    const why = line && (await follow(line, deps, signal));
    await line?.[Symbol.asyncDispose]();
    state.line = undefined;
    if (signal.aborted) return;
    deps.onDown();
    if (why) deps.log.warn('email.lost', { code: why.code, reason: why.message });
    short = performance.now() - since < LIVED_MS ? short + 1 : 0;
    const next = await reopen(deps, signal, Math.max(0, short - 1));
    if (!next) return;
    state.line = next;
    state.back.resolve(next);
    state.back = Promise.withResolvers();
  }
}

/** Until the connection is over; gives back why, where that is known. */
async function follow(line: ImapLine, deps: ReadingDeps, signal: AbortSignal): Promise<AppError | undefined> {
  const { client, closed } = line;
  const news = { bell: Promise.withResolvers<void>() };
  client.on('exists', () => news.bell.resolve());
  deps.onUp(line);
  try {
    while (client.usable && !signal.aborted) {
      news.bell = Promise.withResolvers();
      await deps.sweep(line);
      deps.onAlive();
      await untilNews(line, { bell: news.bell.promise, closed, config: deps.login.config, signal });
    }
    return undefined;
  } catch (error) {
    return imapError(error, deps.login.config);
  }
}

interface Waiting {
  readonly bell: Promise<void>;
  readonly closed: Promise<void>;
  readonly config: ServerLogin['config'];
  readonly signal: AbortSignal;
}

/** The server announces new mail, or it is time to look. */
async function untilNews({ client }: ImapLine, { bell, closed, config, signal }: Waiting): Promise<void> {
  const over = new AbortController();
  const idles = client.capabilities.has('IDLE');
  const waiting = pause(idles ? CHECK_EVERY_MS : config.pollSeconds * 1000, AbortSignal.any([signal, over.signal]));
  const idling = idles ? client.idle().catch(() => undefined /* the connection ended */) : new Promise(() => {});
  try {
    await Promise.race([bell, closed, waiting, idling]);
  } finally {
    over.abort();
  }
}

/** Undefined: nobody wants it any more. `before`: how many failures went before. */
async function reopen(deps: ReadingDeps, signal: AbortSignal, before: number): Promise<ImapLine | undefined> {
  for (let failures = before; !signal.aborted; failures++) {
    const wait = failures === 0 ? 50 : backoff(BACKOFF_MS, failures - 1);
    if (!(await pause(jittered(wait, [0.75, 1.25], Math.random()), signal))) return undefined;
    try {
      return await openImap(deps.login, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof AppError) || !error.retryable) throw error;
      deps.log.warn('email.reconnect', { failures: failures + 1, reason: error.message });
      deps.onDown({ kind: 'runtime', message: error.message });
    }
  }
  return undefined;
}
