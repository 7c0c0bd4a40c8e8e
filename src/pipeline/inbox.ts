/** Records incoming messages in the journal for every agent that answers, and passes them on. */
import { asAppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Journal } from '../journal/journal.ts';
import type { Accepted, AcceptResult, Arrival, InboundRow, Refusal } from '../journal/rows.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { OutboxSender } from './delivery/outbox-sender.ts';

export interface MessageInboxDeps {
  readonly journal: Pick<Journal, 'inbound'>;
  readonly sessions: Pick<Sessions, 'ready'>;
  readonly sender: Pick<OutboxSender, 'send'>;
  readonly log: Log;
  checkpoint(point: 'accept.before' | 'accept.after', runId: string): void;
}

export interface MessageInbox {
  receive(accepted: Accepted, runId: string, refused?: Refusal): Promise<AcceptResult>;
  /**
   * Resolves once the message is on disk (P1), for each agent that is to answer it. The arrival tickets are taken
   * before the first await (P3).
   */
  receiveAll(arrivals: readonly Arrival[]): Promise<readonly AcceptResult[]>;
  /** Called for every admitted message, once it is on disk. */
  subscribe(listener: (row: InboundRow) => void): void;
  /** What is on its way into the journal now, or sets out until it is disposed of; the sweep leaves it alone. */
  watchArrivals(): Arrivals;
  /** Whether the sessions of its agent can be read. */
  isReady(sessionKey: string): Promise<boolean>;
}

export interface Arrivals extends Disposable {
  has(runId: string): boolean;
}

export function createMessageInbox({ journal, sessions, sender, log, checkpoint }: MessageInboxDeps): MessageInbox {
  const arriving = new Set<string>();
  const watches = new Set<Set<string>>();
  const listeners = new Set<(row: InboundRow) => void>();

  async function receiveAll(arrivals: readonly Arrival[]): Promise<readonly AcceptResult[]> {
    for (const { runId } of arrivals) {
      checkpoint('accept.before', runId);
      arriving.add(runId);
      for (const seen of watches) seen.add(runId);
    }
    try {
      const [results, ready] = await Promise.all([
        journal.inbound.acceptAll(arrivals),
        Promise.all(arrivals.map(({ accepted }) => isReady(accepted.route.sessionKey))),
      ]);
      for (const [index, { runId, refused }] of arrivals.entries())
        if (refused || ready[index]) arrived(results[index]!, runId, refused);
      return results;
    } finally {
      for (const { runId } of arrivals) arriving.delete(runId);
    }
  }

  function arrived(result: AcceptResult, runId: string, refused: Refusal | undefined): void {
    checkpoint('accept.after', runId);
    if (refused) log.info('message.refused', { runId, reason: refused.reason });
    if (result.notice !== undefined) void sender.send(result.notice);
    if (refused || result.status !== 'accepted') return;
    for (const listener of listeners) listener(result.row);
  }

  /**
   * One agent's sessions that cannot be read cost the others nothing: its messages stay open, and the sweep or the next
   * start takes them up.
   */
  async function isReady(sessionKey: string): Promise<boolean> {
    const error = await sessions.ready(sessionKey).then(
      () => undefined,
      (thrown: unknown) => asAppError(thrown),
    );
    if (error) log.error('inbound.sessions', { sessionKey, error });
    return error === undefined;
  }

  return {
    receiveAll,
    receive: async (accepted, runId, refused) => (await receiveAll([{ accepted, runId, refused }]))[0]!,
    subscribe: (listener) => void listeners.add(listener),
    watchArrivals() {
      const seen = new Set(arriving);
      watches.add(seen);
      return { has: (runId) => seen.has(runId), [Symbol.dispose]: () => void watches.delete(seen) };
    },
    isReady,
  };
}
