/** Takes up every message without an end that nobody works on (P4): turns first, then messages, in order of arrival. */
import type { InboundRow } from '../journal/rows.ts';
import { inSteps } from '../platform/in-steps.ts';
import { unattended } from './unattended.ts';
import type { InboundDeps } from './inbound-deps.ts';
import { runOf } from './run-of.ts';
import type { Waiting } from './turn-lanes.ts';

export interface RecoveryParts {
  dispatch(row: InboundRow): void;
  /** Does a step for these rows, so that its fault is theirs alone. */
  guarded(rows: readonly InboundRow[], step: () => void): void;
  waiting(row: InboundRow): Waiting;
}

/** How many messages there were. */
export async function recover(
  { turns, hub, inbox, lanes, sender }: Pick<InboundDeps, 'turns' | 'hub' | 'inbox' | 'lanes' | 'sender'>,
  { dispatch, guarded, waiting }: RecoveryParts,
): Promise<number> {
  const left = (): Promise<readonly InboundRow[]> => unattended(() => turns.journal.inbound.open(), { hub, inbox });
  const keys = [...new Set((await left()).map((row) => row.route.sessionKey))];
  const ready = new Set((await Promise.all(keys.map(async (key) => ((await inbox.isReady(key)) ? [key] : [])))).flat());
  // again: somebody may have come meanwhile
  const open = (await left()).filter((row) => ready.has(row.route.sessionKey));
  const begun = Map.groupBy(
    open.filter((row) => row.turnId !== undefined),
    (row) => row.turnId!,
  );
  for await (const row of inSteps(open)) guarded([row], () => hub.accepted(runOf(row), row));
  for (const rows of begun.values()) {
    const opening = rows.filter((row) => !row.steered);
    const batch = opening.length > 0 ? opening : rows; // steered ones whose turn lost its opening go on without
    guarded(batch, () => lanes.resume(batch[0]!.route.sessionKey, batch.map(waiting)));
  }
  for await (const row of inSteps(open)) if (row.turnId === undefined && hub.isActive(row.runId)) dispatch(row);
  void sender.resume();
  return open.length;
}
