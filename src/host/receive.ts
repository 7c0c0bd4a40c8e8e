/** Accepts a message of the gateway's own and reports the result. */
import type { Accepted, InboundRow } from '../journal/rows.ts';

/** A message that is in the journal. */
export interface Received {
  /** `duplicate`: this id was taken before; `row` is how it stands now. */
  readonly status: 'accepted' | 'duplicate';
  readonly row: InboundRow;
}

/** Keeps a message of the gateway's own and begins it. Resolves once it is on disk; an id is taken once. */
export type Receive = (accepted: Accepted, runId: string) => Promise<Received>;
