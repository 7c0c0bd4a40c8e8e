/** Tracks messages being worked on, because the journal's list of unanswered ones may be outdated when read. */
import type { MessageInbox } from './inbox.ts';
import type { RunHub } from './run-hub.ts';

export interface UnattendedDeps {
  readonly hub: Pick<RunHub, 'active' | 'isActive'>;
  readonly inbox: Pick<MessageInbox, 'watchArrivals'>;
}

/** Of the rows without an end that `read` finds, those nobody worked on at any time while it was asked. */
export async function unattended<Row extends { readonly runId: string }>(
  read: () => Promise<readonly Row[]>,
  { hub, inbox }: UnattendedDeps,
): Promise<readonly Row[]> {
  const worked = new Set(hub.active().map(({ runId }) => runId));
  using arrivals = inbox.watchArrivals();
  const rows = await read();
  return rows.filter(({ runId }) => !worked.has(runId) && !arrivals.has(runId) && !hub.isActive(runId));
}
