/**
 * Sessions that talk to each other and sub-agents: each step is a message of the gateway's own, kept and answered like
 * any other. What comes next is read off the steps there are, so a crash anywhere loses none and doubles none.
 */
import type { Receive } from '../../host/receive.ts';
import type { ReplyPolicy } from '../../host/reply-policy.ts';
import type { Runs } from '../../host/runs.ts';
import { cut } from '../../core/cut.ts';
import { AppError, asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import { exchangeOfRun, stepRunId, type Exchange, type ExchangeRow } from '../../journal/exchange.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { createKeyedQueue } from '../../platform/keyed-queue.ts';
import type { SessionEntry, SessionPatch } from '../../sessions/entry.ts';
import { MAX_GOING } from './exchange-limits.ts';
import { createStepPolicy } from './step-policy.ts';
import { nextStep, type StepEnd } from './next-step.ts';
import type { OwnAddressDeps } from './own-address.ts';
import { endOf, readSteps } from './read-steps.ts';
import { stepArrival } from './step-arrival.ts';
import { plainResult } from './step-message.ts';

export interface ExchangesDeps extends OwnAddressDeps {
  readonly journal: Pick<Journal, 'exchanges' | 'inbound' | 'turns'>;
  readonly receive: Receive;
  readonly runs: Pick<Runs, 'subscribe'>;
  /** By canonical key. */
  readonly sessions: {
    get(key: string): Promise<SessionEntry | undefined>;
    /** A taken label: `conflict`. */
    patch(key: string, patch: SessionPatch): Promise<unknown>;
    delete(key: string, options: { readonly archiveTranscript: boolean }): Promise<unknown>;
  };
  agentOf(key: string): string;
  /** Stops what runs and waits in a session. */
  abort(sessionKey: string): Promise<unknown>;
  /** `agents.defaults.subagents.archiveAfterMinutes`; 0: never. */
  archiveAfterMinutes(): number;
  reached?(point: ExchangePoint, exchangeId: string): void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Around the write that begins one and the one that ends it; its steps have the moments of messages. */
type ExchangePoint = `exchange.${'open' | 'end'}.${'before' | 'after'}`;

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
const MINUTE_MS = 60_000;

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
    queue.run(id, () => step(id)).catch((error: unknown) => log.error('exchange.step', { exchangeId: id, error }));

  async function step(id: string): Promise<void> {
    const exchange = await rows.find(id);
    if (state.closed || exchange?.state !== 'open') return;
    const steps = await readSteps(exchange, journal);
    const next = nextStep(exchange, steps);
    if (next.kind === 'wait') return;
    if (next.kind === 'over') return finish(exchange);
    const key = next.side === 'requester' ? exchange.requesterKey : exchange.targetKey;
    if (next.step === 'task') await prepareChild(exchange);
    const entry = await deps.sessions.get(key);
    if (!entry) return finish(exchange); // it was deleted: nobody is there to talk to
    const arrival = await stepArrival({ exchange, steps, next, entry }, deps);
    // A step that is there already is a duplicate: its run is known.
    await deps.receive(arrival, stepRunId(id, steps.length));
  }

  /** The session of a sub-agent, with the limits of whoever started it. */
  async function prepareChild({ targetKey, requesterKey, request, child }: Exchange): Promise<void> {
    if (await deps.sessions.get(targetKey)) return;
    const patch: SessionPatch = {
      spawnedBy: requesterKey,
      title: titleOf(child?.label ?? request),
      ...(child?.model ? { providerOverride: child.model.provider, modelOverride: child.model.modelId } : {}),
      ...present({ thinkingLevel: child?.thinking }),
    };
    try {
      await deps.sessions.patch(targetKey, { ...patch, ...present({ label: child?.label || undefined }) });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      await deps.sessions.patch(targetKey, patch); // somebody took the label meanwhile
    }
  }

  async function finish(exchange: Exchange): Promise<void> {
    if (exchange.kind === 'spawn' && exchange.child?.cleanup === 'delete')
      await deps.sessions.delete(exchange.targetKey, { archiveTranscript: true });
    deps.reached?.('exchange.end.before', exchange.id);
    await rows.end(exchange.id, archiveAt(exchange));
    deps.reached?.('exchange.end.after', exchange.id);
  }

  function archiveAt({ kind, child }: Exchange): number | undefined {
    const minutes = deps.archiveAfterMinutes();
    return kind === 'spawn' && child?.cleanup === 'keep' && minutes > 0 ? clock.now() + minutes * MINUTE_MS : undefined;
  }

  /** A sub-agent somebody still talks to is left alone. */
  async function archive({ id, targetKey }: ExchangeRow): Promise<void> {
    const entry = await deps.sessions.get(targetKey);
    const rests = (entry?.updatedAt ?? 0) + deps.archiveAfterMinutes() * MINUTE_MS;
    if (entry && rests > clock.now()) return rows.end(id, rests);
    if (entry) await deps.sessions.delete(targetKey, { archiveTranscript: true });
    await rows.end(id);
  }

  async function sweep(): Promise<void> {
    await Promise.all((await rows.going()).map(({ id }) => advance(id)));
    for (const one of await rows.due(clock.now()))
      await queue
        .run(one.id, () => archive(one))
        .catch((error: unknown) => log.error('exchange.archive', { exchangeId: one.id, error }));
  }

  async function stopChild({ id, targetKey }: ExchangeRow): Promise<void> {
    await queue.run(id, async () => {
      const exchange = await rows.find(id);
      if (exchange?.state !== 'open') return;
      await rows.end(id, archiveAt(exchange)); // before it ends: nobody is told of it
      await deps.abort(targetKey);
    });
  }

  /** A report is stopped with its session. */
  async function childrenOf(sessionKey: string): Promise<readonly ExchangeRow[]> {
    const begun = await rows.of(sessionKey, 'spawn');
    const steps = await Promise.all(begun.map((one) => readSteps(one, journal)));
    return begun.filter((_, nth) => !steps[nth]![0]?.end);
  }

  return {
    find: rows.find,
    going: async (requesterKey, kind) => (await rows.of(requesterKey, kind)).length,

    async begin(exchange) {
      deps.reached?.('exchange.open.before', exchange.id);
      const row = await rows.open(exchange, MAX_GOING);
      if (!row) return undefined;
      deps.reached?.('exchange.open.after', row.id);
      await advance(row.id);
      return row;
    },

    whenEnded: (id, nth, wait) => whenOver(stepRunId(id, nth), wait, deps),

    childrenOf,

    async stopChildrenOf(sessionKey, ids) {
      const children = (await childrenOf(sessionKey)).filter(({ id }) => ids?.includes(id) ?? true);
      await Promise.all(children.map(stopChild));
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
    const done = (settle: () => void): void => {
      timer.cancel();
      unsubscribe();
      signal.removeEventListener('abort', stop);
      settle();
    };
    const stop = (): void =>
      done(() =>
        reject(
          new AppError('aborted', 'The turn that waited was stopped; what it waited for goes on.', {
            cause: signal.reason,
          }),
        ),
      );
    // Whoever listens first and looks then misses no end, however long the look takes.
    async function look(): Promise<void> {
      try {
        const over = await end();
        if (over) done(() => resolve(over));
      } catch (error) {
        done(() => reject(asAppError(error)));
      }
    }
    const timer = clock.setTimeout(() => done(() => resolve(undefined)), timeoutMs);
    const unsubscribe = runs.subscribe((run, event) => {
      if (run.runId === runId && event.type === 'ended') void look();
    });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    else void look();
  });
}

const titleOf = (text: string): string => cut(text.replace(/\s+/g, ' ').trim(), 60);
