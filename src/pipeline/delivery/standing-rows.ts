/** Outbox rows requested by a caller and not sent yet; each is looked up and sent once at a time. */
import type { Log } from '../../core/log.ts';
import { whenOver } from '../../platform/settled.ts';
import { isOver, type OutboxRows, type SendOutcome, type TakenRow } from './outbox-rows.ts';

export interface StandingRowsDeps {
  readonly outbox: Pick<OutboxRows, 'take'>;
  readonly log: Log;
  /** It was asked for once more while it stood there, and has gone. */
  comeAgain(id: number): void;
}

export interface RowRequest {
  /** What is done with the row, unless it is over. */
  work(taken: TakenRow, withdrawn: AbortSignal): Promise<SendOutcome | undefined>;
  /** When it is read. */
  lookup<T>(read: () => Promise<T>): Promise<T>;
}

export interface Standing {
  /** Never rejects. */
  readonly sending: Promise<SendOutcome | undefined>;
  /** It has its place in its line, or needs none. */
  readonly queued: Promise<void>;
  readonly withdrawn: AbortController;
  /** Asked for while it stands there: when it goes without an end, it comes again. */
  again: boolean;
}

export interface StandingRows {
  /** Asking for a row again joins the send under way. */
  stand(id: number, request: RowRequest): Standing;
  find(id: number): Standing | undefined;
  /** What is on its way now. */
  sending(): readonly Promise<SendOutcome | undefined>[];
}

export function createStandingRows(deps: StandingRowsDeps): StandingRows {
  const standing = new Map<number, Standing>();

  function leave(id: number): void {
    const left = standing.get(id);
    standing.delete(id);
    if (left?.again) deps.comeAgain(id);
  }

  return {
    find: (id) => standing.get(id),
    sending: () => [...standing.values()].map(({ sending }) => sending),
    /**
     * It stands there from now on, and is looked up only then: a row that was read before could be sent by somebody
     * else until it stands.
     */
    stand(id, { work, lookup }) {
      const known = standing.get(id);
      if (known) return known;
      const withdrawn = new AbortController();
      const begun = lookup(async () => {
        const taken = await deps.outbox.take(id);
        return { sending: taken && !isOver(taken.row) ? work(taken, withdrawn.signal) : undefined };
      });
      const sending = begun
        .then(({ sending: going }) => going)
        .catch((error: unknown) => {
          // the journal refused: rows it does not know are read at the next attempt
          deps.log.error('outbox.write', { id, error });
          return undefined;
        })
        .finally(() => leave(id));
      const one: Standing = { sending, queued: whenOver(begun), withdrawn, again: false };
      standing.set(id, one);
      return one;
    },
  };
}
