/** A message as its lane sees it: what it may share a turn with, and what it may join. */
import { sharingKey } from '../core/authority.ts';
import type { InboundRow } from '../journal/rows.ts';
import { readReset, saidOf } from './compose.ts';
import type { InboundDeps } from './inbound-deps.ts';
import type { Waiting } from './turn-lanes.ts';
import { workKind } from './work-kind.ts';

/** Messages share a turn only when they come from one chat, with the same rights and without requests of their own. */
export function waitingOf(
  row: InboundRow,
  { texts, bounds, understander }: Pick<InboundDeps, 'texts' | 'bounds' | 'understander'>,
): Waiting {
  const rules = texts.rules(row);
  const alone =
    row.queue === 'followup' ||
    row.trigger !== undefined ||
    saidOf(row, rules).requests.length > 0 ||
    row.message.attachments.length > 0 ||
    Object.keys(row.options).length > 0 ||
    readReset(row, rules) !== undefined;
  return {
    runId: row.runId,
    row,
    alone,
    kind: workKind(row, bounds.origins),
    group: JSON.stringify([row.route.replyTo, sharingKey(row.authority), bounds.rightsKey(row)]),
    steerable: !understander.needed(row),
    gather: alone || row.message.system ? undefined : row.message.sender.id,
  };
}

export const rowsOf = (items: readonly Waiting[]): readonly InboundRow[] => items.map(({ row }) => row);
