/** Converts an accepted message to a row of the database, and back. */
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
 * The body of a row on disk, where the trigger of a turn and the checks of the access gate have older names. It leaves
 * out what the columns contain, a reply address that equals the origin, and the home of a requester that is this
 * conversation: otherwise most messages would contain one address three times, and need one page more.
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

/** The row must contain the requester; a default is never assumed. */
type ReadBody = Omit<Accepted, 'authority'> & Partial<Pick<Accepted, 'authority'>>;

/** Needs a row with its body and the columns. */
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

/** The turn with its own run id, if it exists. */
export const OWN_TURN = `(SELECT turn_open.id FROM turn_open WHERE turn_open.seq = inbound.seq
  UNION ALL SELECT turn.id FROM turn WHERE turn.id = inbound.run_id)`;

/** The input of `inboundRow`: the columns, and the turn of the row. */
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
