/** The entry for work of features: it is accepted into the journal like any message. */
import type { InboundRow } from '../journal/rows.ts';
import type { Receive } from './receive.ts';
import type { SystemEvents } from './system-events.ts';

/** How a feature gives work to an agent, and asks after it: the message is in the journal before anything begins. */
export interface Inbox {
  readonly receive: Receive;
  /** The row of a run, as it is in the journal; undefined: it never came. */
  find(runId: string): Promise<InboundRow | undefined>;
  /** What happened that no person wrote: noted, or with a turn of its own. */
  readonly events: SystemEvents;
}
