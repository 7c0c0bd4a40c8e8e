/** An accepted message as a row of the database, and back. */
import { nobodysAuthority } from '../../core/authority.ts';
import { present } from '../../core/present.ts';
import { NOTHING_SAID } from '../../core/said.ts';
import type { Trigger } from '../../core/trigger.ts';
import type { Row } from '../../platform/sqlite.ts';
import type { Accepted, InboundRow, InboundState } from '../rows.ts';
import { NOT_ENDED } from './schema.ts';

/** A row's body as it lies on disk, where the trigger of a turn and the steps of the access gate have older names. */
type KeptBody = Omit<Accepted, 'authority' | 'trigger' | 'access'> &
  Partial<Pick<Accepted, 'authority'>> & { errand?: Trigger; door?: Accepted['access'] };

export const onDisk = ({ trigger, access, ...rest }: Accepted): KeptBody => ({
  ...rest,
  ...present({ errand: trigger, door: access }),
});

const offDisk = ({ errand, door, ...rest }: KeptBody): Omit<Accepted, 'authority'> & Partial<Accepted> => ({
  ...rest,
  ...present({ trigger: errand, access: door }),
});

/** What `inboundRow` reads: the columns, and the turn it belongs to. */
export const MESSAGE = `inbound.*, coalesce(turn_id, (SELECT id FROM turn WHERE turn.id = inbound.run_id)) AS turn`;

export function inboundRow(row: Row): InboundRow {
  const text = (name: string): string | undefined => (row[name] === null ? undefined : String(row[name]));
  const turnId = text('turn');
  const reason = text('reason');
  const accepted = offDisk(JSON.parse(String(row['body'])) as KeptBody);
  const { agentId, sessionKey, replyTo } = accepted.route;
  return {
    // Who asked has to stand in the row; nobody is made up for it.
    authority: nobodysAuthority({ agentId, sessionKey, address: replyTo }),
    ...accepted,
    message: { ...accepted.message, said: accepted.message.said ?? NOTHING_SAID },
    seq: Number(row['seq']),
    runId: String(row['run_id']),
    state: row['state'] as InboundState,
    acceptedAt: Number(row['accepted_at']),
    steered: row['steered'] === 1,
    ...present({ turnId, reason, endedAt: endOf(row) }),
  };
}

const endOf = ({ ended_at: at }: Row): number | undefined => (at === null || at === NOT_ENDED ? undefined : Number(at));
