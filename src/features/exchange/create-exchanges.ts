/**
 * Sessions that talk to each other and sub-agents: each step is a message of the gateway's own, kept and answered like
 * any other. What comes next is read off the steps there are, so a crash anywhere loses none and doubles none.
 */
import type { Receive } from '../../host/receive.ts';
import type { ReplyPolicy } from '../../host/reply-policy.ts';
import type { Runs } from '../../host/runs.ts';
import { cut } from '../../core/cut.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { exchangeOfRun, stepRunId, type Exchange, type ExchangeRow } from '../../journal/exchanges.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { createKeyedQueue } from '../../platform/keyed-queue.ts';
import type { SessionEntry, SessionPatch } from '../../sessions/entry.ts';
import { createStepPolicy } from './judge-step.ts';
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
  begin(exchange: Exchange): Promise<ExchangeRow>;
  find(id: string): ExchangeRow | undefined;
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
  going(requesterKey: string, kind: Exchange['kind']): number;
  /** For `/stop`: ends the sub-agents a session started, of which nobody hears any more. How many there were. */
  stopChildrenOf(sessionKey: string, ids?: readonly string[]): Promise<number>;
  /** The sub-agents that work for a session. */
  childrenOf(sessionKey: string): readonly ExchangeRow[];
  /** What becomes of the answers to steps. */
  readonly replyPolicy: ReplyPolicy;
  /** Goes on with what an earlier life left. After the messages of that life were taken up. */
  start(): Promise<void>;
  close(): void;
}

/** What a full disk kept from going on is tried again, and old sub-agents are archived. */
const SWEEP_MS = 60_000;
const MINUTE_MS = 60_000;

export function createExchanges(deps: ExchangesDeps): Exchanges {
  return new SessionExchanges(deps);
}

class SessionExchanges implements Exchanges {
  readonly #deps: ExchangesDeps;
  readonly #rows;
  #closed = false;
  #timer: Timer | undefined;
  #unsubscribe: () => void = () => undefined;
  /** One thing at a time for each exchange. */
  readonly #queue = createKeyedQueue();

  constructor(deps: ExchangesDeps) {
    this.#deps = deps;
    this.#rows = deps.journal.exchanges;
  }

  find(id: string): ExchangeRow | undefined {
    return this.#rows.find(id);
  }

  going(requesterKey: string, kind: Exchange['kind']): number {
    return this.#rows.of(requesterKey, kind).length;
  }

  async begin(exchange: Exchange): Promise<ExchangeRow> {
    this.#deps.reached?.('exchange.open.before', exchange.id);
    const row = await this.#rows.open(exchange);
    this.#deps.reached?.('exchange.open.after', row.id);
    await this.#advance(row.id);
    return row;
  }

  whenEnded(
    id: string,
    nth: number,
    wait: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<StepEnd | undefined> {
    return whenOver(stepRunId(id, nth), wait, this.#deps);
  }

  async stopChildrenOf(sessionKey: string, ids?: readonly string[]): Promise<number> {
    const children = this.childrenOf(sessionKey).filter(({ id }) => ids?.includes(id) ?? true);
    await Promise.all(children.map((given) => this.#stopChild(given)));
    return children.length;
  }

  get replyPolicy(): ReplyPolicy {
    return createStepPolicy((id) => {
      const exchange = this.#rows.find(id);
      const end = exchange && readSteps(exchange, this.#deps.journal)[0]?.end;
      return end && plainResult(exchange, end);
    });
  }

  async start(): Promise<void> {
    this.#unsubscribe = this.#deps.runs.subscribe(({ runId }, event) => {
      const id = event.type === 'ended' ? exchangeOfRun(runId) : undefined;
      if (id !== undefined) void this.#advance(id);
    });
    this.#timer = this.#deps.clock
      .setInterval(
        () => void this.#sweep().catch((error: unknown) => this.#deps.log.error('exchange.sweep', { error })),
        SWEEP_MS,
      )
      .unref();
    await this.#sweep();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#unsubscribe();
  }

  /** A report is stopped with its session. */
  childrenOf(sessionKey: string): readonly ExchangeRow[] {
    return this.#rows.of(sessionKey, 'spawn').filter((one) => !readSteps(one, this.#deps.journal)[0]?.end);
  }

  /** Never rejects: what could not be done is done by the sweep. */
  #advance(id: string): Promise<void> {
    return this.#queue
      .run(id, () => this.#step(id))
      .catch((error: unknown) => this.#deps.log.error('exchange.step', { exchangeId: id, error }));
  }

  async #step(id: string): Promise<void> {
    const exchange = this.#rows.find(id);
    if (this.#closed || exchange?.state !== 'open') return;
    const steps = readSteps(exchange, this.#deps.journal);
    const next = nextStep(exchange, steps);
    if (next.kind === 'wait') return;
    if (next.kind === 'over') return this.#finish(exchange);
    const key = next.side === 'requester' ? exchange.requesterKey : exchange.targetKey;
    if (next.step === 'task') await this.#prepareChild(exchange);
    const entry = await this.#deps.sessions.get(key);
    if (!entry) return this.#finish(exchange); // it was deleted: nobody is there to talk to
    await this.#deps.receive(stepArrival({ exchange, steps, next, entry }, this.#deps), stepRunId(id, steps.length));
  }

  /** The session of a sub-agent, with the limits of whoever started it. */
  async #prepareChild({ targetKey, requesterKey, request, child }: Exchange): Promise<void> {
    if (await this.#deps.sessions.get(targetKey)) return;
    const patch: SessionPatch = {
      spawnedBy: requesterKey,
      title: titleOf(child?.label ?? request),
      ...(child?.model ? { providerOverride: child.model.provider, modelOverride: child.model.modelId } : {}),
      ...(child?.thinking ? { thinkingLevel: child.thinking } : {}),
    };
    try {
      await this.#deps.sessions.patch(targetKey, { ...patch, ...(child?.label ? { label: child.label } : {}) });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      await this.#deps.sessions.patch(targetKey, patch); // somebody took the label meanwhile
    }
  }

  async #finish(exchange: Exchange): Promise<void> {
    if (exchange.kind === 'spawn' && exchange.child?.cleanup === 'delete')
      await this.#deps.sessions.delete(exchange.targetKey, { archiveTranscript: true });
    this.#deps.reached?.('exchange.end.before', exchange.id);
    await this.#rows.end(exchange.id, this.#archiveAt(exchange));
    this.#deps.reached?.('exchange.end.after', exchange.id);
  }

  #archiveAt({ kind, child }: Exchange): number | undefined {
    const minutes = this.#deps.archiveAfterMinutes();
    return kind === 'spawn' && child?.cleanup === 'keep' && minutes > 0
      ? this.#deps.clock.now() + minutes * MINUTE_MS
      : undefined;
  }

  /** A sub-agent somebody still talks to is left alone. */
  async #archive({ id, targetKey }: ExchangeRow): Promise<void> {
    const entry = await this.#deps.sessions.get(targetKey);
    const rests = (entry?.updatedAt ?? 0) + this.#deps.archiveAfterMinutes() * MINUTE_MS;
    if (entry && rests > this.#deps.clock.now()) return this.#rows.end(id, rests);
    if (entry) await this.#deps.sessions.delete(targetKey, { archiveTranscript: true });
    await this.#rows.end(id);
  }

  async #sweep(): Promise<void> {
    await Promise.all(this.#rows.going().map(({ id }) => this.#advance(id)));
    for (const one of this.#rows.due(this.#deps.clock.now()))
      await this.#queue
        .run(one.id, () => this.#archive(one))
        .catch((error: unknown) => this.#deps.log.error('exchange.archive', { exchangeId: one.id, error }));
  }

  async #stopChild({ id, targetKey }: ExchangeRow): Promise<void> {
    await this.#queue.run(id, async () => {
      const exchange = this.#rows.find(id);
      if (exchange?.state !== 'open') return;
      await this.#rows.end(id, this.#archiveAt(exchange)); // before it ends: nobody is told of it
      await this.#deps.abort(targetKey);
    });
  }
}

/** The journal says how a run came out; the hub only says when to look. */
function whenOver(
  runId: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  { journal, runs, clock }: Pick<ExchangesDeps, 'journal' | 'runs' | 'clock'>,
): Promise<StepEnd | undefined> {
  const end = (): StepEnd | undefined => {
    const row = journal.inbound.find(runId);
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
    const look = (): void => {
      const over = end();
      if (over) done(() => resolve(over));
    };
    const timer = clock.setTimeout(() => done(() => resolve(undefined)), timeoutMs);
    const unsubscribe = runs.subscribe((run, event) => {
      if (run.runId === runId && event.type === 'ended') look();
    });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    else look();
  });
}

const titleOf = (text: string): string => cut(text.replace(/\s+/g, ' ').trim(), 60);
