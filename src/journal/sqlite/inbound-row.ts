/** An accepted message as a row of the database, and back. */
import { isDeepStrictEqual } from 'node:util';
import { nobodysAuthority, type Authority, type Home } from '../../core/authority.ts';
import { present } from '../../core/present.ts';
import type { Route } from '../../core/route.ts';
import { NOTHING_SAID } from '../../core/said.ts';
import type { Trigger } from '../../core/trigger.ts';
import type { Row } from '../../platform/sqlite.ts';
import type { Accepted, InboundRow, InboundState } from '../rows.ts';
import { NOT_ENDED } from './schema.ts';

/**
 * A row's body as it lies on disk, where the trigger of a turn and the steps of the access gate have older names. What
 * the columns say, a reply that goes where the message came from, and the home of a requester that is this
 * conversation are left out: most messages would have one address three times, and a page more.
 */
interface KeptBody extends Omit<Accepted, 'authority' | 'route' | 'trigger' | 'access'> {
  readonly route: Pick<Route, 'matchedBy'> & Partial<Route>;
  readonly authority?: Omit<Authority, 'home'> & Partial<Pick<Authority, 'home'>>;
  readonly errand?: Trigger;
  readonly door?: Accepted['access'];
}

export function onDisk({ trigger, access, route, authority, ...rest }: Accepted): KeptBody {
  const { agentId: _agent, sessionKey: _session, replyTo, ...taken } = route;
  const { home, ...stored } = authority;
  return {
    ...rest,
    route: isDeepStrictEqual(replyTo, rest.message.address) ? taken : { ...taken, replyTo },
    authority: isDeepStrictEqual(home, homeOf(route)) ? stored : authority,
    ...present({ errand: trigger, door: access }),
  };
}

/** Who asked has to stand in the row; nobody is made up for it. */
type ReadBody = Omit<Accepted, 'authority'> & Partial<Pick<Accepted, 'authority'>>;

/** Of a row with its body and the columns beside it. */
export function acceptedOf(row: Row): ReadBody {
  const { errand, door, route: taken, authority: stored, ...rest } = JSON.parse(String(row['body'])) as KeptBody;
  const route: Route = {
    agentId: String(row['agent_id']),
    sessionKey: row['session_key'] as Route['sessionKey'],
    replyTo: rest.message.address,
    ...taken,
  };
  const authority = stored && { ...stored, home: stored.home ?? homeOf(route) };
  return { ...rest, route, ...present({ authority, trigger: errand, access: door }) };
}

const homeOf = ({ agentId, sessionKey, replyTo }: Route): Home => ({ agentId, sessionKey, address: replyTo });

/** Its own turn, which has its run id, once there is that one. */
export const OWN_TURN = `(SELECT turn_open.id FROM turn_open WHERE turn_open.seq = inbound.seq
  UNION ALL SELECT turn.id FROM turn WHERE turn.id = inbound.run_id)`;

/** What `inboundRow` reads: the columns, and the turn it belongs to. */
export const MESSAGE = `inbound.*, coalesce(turn_id, ${OWN_TURN}) AS turn`;

export function inboundRow(row: Row): InboundRow {
  const text = (name: string): string | undefined => (row[name] === null ? undefined : String(row[name]));
  const turnId = text('turn');
  const reason = text('reason');
  const accepted = acceptedOf(row);
  return {
    authority: nobodysAuthority(homeOf(accepted.route)),
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
