/**
 * Exchanges between sessions and sub-agents: each step is a message from the gateway, stored and answered like any
 * other. The next step is derived from the stored steps, so a crash neither loses nor repeats one.
 */
import type { ReplyPolicy } from '../../host/reply-policy.ts';
import { AppError, asAppError } from '../../core/errors.ts';
import { exchangeOfRun, stepRunId, type Exchange, type ExchangeRow } from './exchange.ts';
import type { Timer } from '../../platform/clock.ts';
import { createKeyedQueue } from '../../platform/keyed-queue.ts';
import type { ExchangesDeps } from './exchanges-deps.ts';
import { MAX_GOING } from './exchange-limits.ts';
import { createStepPolicy } from './step-policy.ts';
import { nextStep, type StepEnd } from './next-step.ts';
import { endOf, readSteps } from './read-steps.ts';
import { archiveAt, archiveChild, prepareChild, stopChild, workingChildren } from './child-session.ts';
import { stepArrival } from './step-arrival.ts';
import { plainResult } from './step-message.ts';

export interface Exchanges {
  /**
   * Keeps it, once per id, and resolves when its first step is on its way; while the gateway stops, and with a disk in
   * trouble, that is later, by itself.
   */
  begin(exchange: Exchange): Promise<ExchangeRow | undefined>;
  find(id: string): Promise<ExchangeRow | undefined>;
  /**
   * How a step came out, as soon as it did; undefined after `timeoutMs`. The step goes on all the same. A signal that
   * fires rejects with `aborted`.
   */
  whenEnded(
    id: string,
    step: number,
    wait: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<StepEnd | undefined>;
  /** How many of a kind a session has begun that are not over. */
  going(requesterKey: string, kind: Exchange['kind']): Promise<number>;
  /** For `/stop`: ends the sub-agents a session started, of which nobody hears any more. How many there were. */
  stopChildrenOf(sessionKey: string, ids?: readonly string[]): Promise<number>;
  /** The sub-agents that work for a session. */
  childrenOf(sessionKey: string): Promise<readonly ExchangeRow[]>;
  /** What becomes of the answers to steps. */
  readonly replyPolicy: ReplyPolicy;
  /** Goes on with what an earlier run left. After the messages of that run were taken up. */
  start(): Promise<void>;
  close(): void;
}

/** What a full disk kept from going on is tried again, and old sub-agents are archived. */
const SWEEP_MS = 60_000;

export function createExchanges(deps: ExchangesDeps): Exchanges {
  const { journal, log, clock } = deps;
  const rows = journal.exchanges;
  const state: { closed: boolean; timer: Timer | undefined; unsubscribe: () => void } = {
    closed: false,
    timer: undefined,
    unsubscribe: () => undefined,
  };
  /** One thing at a time for each exchange. */
  const queue = createKeyedQueue();

  /** Never rejects: what could not be done is done by the sweep. */
  const advance = (id: string): Promise<void> =>
    queue
      .run(id, () => takeStep(id, deps, () => state.closed))
      .catch((error: unknown) => log.error('exchange.step', { exchangeId: id, error }));

  async function sweep(): Promise<void> {
    await Promise.all((await rows.going()).map(({ id }) => advance(id)));
    for (const one of await rows.due(clock.now()))
      await queue
        .run(one.id, () => archiveChild(one, deps))
        .catch((error: unknown) => log.error('exchange.archive', { exchangeId: one.id, error }));
  }

  return {
    find: rows.find,
    going: async (requesterKey, kind) => (await rows.of(requesterKey, kind)).length,

    async begin(exchange) {
      deps.checkpoint?.('exchange.open.before', exchange.id);
      const row = await rows.open(exchange, MAX_GOING);
      if (!row) return undefined;
      deps.checkpoint?.('exchange.open.after', row.id);
      await advance(row.id);
      return row;
    },

    whenEnded: (id, nth, wait) => whenOver(stepRunId(id, nth), wait, deps),
    childrenOf: (sessionKey) => workingChildren(sessionKey, journal),

    async stopChildrenOf(sessionKey, ids) {
      const children = (await workingChildren(sessionKey, journal)).filter(({ id }) => ids?.includes(id) ?? true);
      await Promise.all(children.map((one) => queue.run(one.id, () => stopChild(one, deps))));
      return children.length;
    },

    replyPolicy: createStepPolicy(async (id) => {
      const exchange = await rows.find(id);
      const end = exchange && (await readSteps(exchange, journal))[0]?.end;
      return end && plainResult(exchange, end);
    }),

    async start() {
      state.unsubscribe = deps.runs.subscribe(({ runId }, event) => {
        const id = event.type === 'ended' ? exchangeOfRun(runId) : undefined;
        if (id !== undefined) void advance(id);
      });
      state.timer = clock
        .setInterval(() => void sweep().catch((error: unknown) => log.error('exchange.sweep', { error })), SWEEP_MS)
        .unref();
      await sweep();
    },

    close() {
      state.closed = true;
      state.timer?.cancel();
      state.unsubscribe();
    },
  };
}

/** What comes next in an exchange, where anything does; in its turn. */
async function takeStep(id: string, deps: ExchangesDeps, isClosed: () => boolean): Promise<void> {
  const { journal, sessions } = deps;
  const exchange = await journal.exchanges.find(id);
  if (isClosed() || exchange?.state !== 'open') return;
  const steps = await readSteps(exchange, journal);
  const next = nextStep(exchange, steps);
  if (next.kind === 'wait') return;
  if (next.kind === 'over') return finish(exchange, deps);
  const key = next.side === 'requester' ? exchange.requesterKey : exchange.targetKey;
  if (next.step === 'task') await prepareChild(exchange, deps);
  const entry = await sessions.get(key);
  if (!entry) return finish(exchange, deps); // it was deleted: nobody is there to talk to
  const arrival = await stepArrival({ exchange, steps, next, entry }, deps);
  // A step that is there already is a duplicate: its run is known.
  await deps.receive(arrival, stepRunId(id, steps.length));
}

async function finish(exchange: Exchange, deps: ExchangesDeps): Promise<void> {
  if (exchange.kind === 'spawn' && exchange.child?.cleanup === 'delete')
    await deps.sessions.delete(exchange.targetKey, { archiveTranscript: true });
  deps.checkpoint?.('exchange.end.before', exchange.id);
  await deps.journal.exchanges.end(exchange.id, archiveAt(exchange, deps));
  deps.checkpoint?.('exchange.end.after', exchange.id);
}

/** The journal says how a run came out; the hub only says when to look. */
function whenOver(
  runId: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  { journal, runs, clock }: Pick<ExchangesDeps, 'journal' | 'runs' | 'clock'>,
): Promise<StepEnd | undefined> {
  const end = async (): Promise<StepEnd | undefined> => {
    const row = await journal.inbound.find(runId);
    return row && endOf(row, journal);
  };
  return new Promise((resolve, reject) => {
    const following = new DisposableStack();
    function done(settle: () => void): void {
      following.dispose();
      settle();
    }
    function stop(): void {
      const why = 'The waiting turn was stopped; the other session continues.';
      done(() => reject(new AppError('aborted', why, { cause: signal.reason })));
    }
    // Whoever listens first and looks then misses no end, however long the look takes.
    async function check(): Promise<void> {
      try {
        const over = await end();
        if (over) done(() => resolve(over));
      } catch (error) {
        done(() => reject(asAppError(error)));
      }
    }
    following.use(clock.setTimeout(() => done(() => resolve(undefined)), timeoutMs));
    following.defer(
      runs.subscribe((run, event) => {
        if (run.runId === runId && event.type === 'ended') void check();
      }),
    );
    signal.addEventListener('abort', stop, { once: true });
    following.defer(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
    else void check();
  });
}
