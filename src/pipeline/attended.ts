/**
 * Which messages nobody works on, for whoever takes those up: what the journal answers may be old by the time it is
 * read, and a message that came and was answered meanwhile still stands in an old answer without its end.
 */
import type { MessageInbox } from './inbox.ts';
import type { RunHub } from './run-hub.ts';

export interface AttendedDeps {
  readonly hub: Pick<RunHub, 'active' | 'isActive'>;
  readonly inbox: Pick<MessageInbox, 'watchArrivals'>;
}

/** Of the rows without an end that `read` finds, those nobody worked on at any time while it was asked. */
export async function unattended<Row extends { readonly runId: string }>(
  read: () => Promise<readonly Row[]>,
  { hub, inbox }: AttendedDeps,
): Promise<readonly Row[]> {
  const worked = new Set(hub.active().map(({ runId }) => runId));
  using arrivals = inbox.watchArrivals();
  const rows = await read();
  return rows.filter(({ runId }) => !worked.has(runId) && !arrivals.has(runId) && !hub.isActive(runId));
}
