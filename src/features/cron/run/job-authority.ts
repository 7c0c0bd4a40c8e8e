/** The authority of a running job: that of its requester, with one hand added. Pure. */
import { delegatedVia, type Authority, type Home, type Requester } from '../../../core/authority.ts';
import type { CronJob, CronOwner } from '../cron-job.ts';
import { OPERATOR_SCOPES } from '../../../core/principal.ts';

/** `home`: where it runs, for a job that does not say where it was asked for. */
export function jobAuthority({ id, owner }: Pick<CronJob, 'id' | 'owner'>, home: Home): Authority {
  const origin: Home = owner
    ? { agentId: home.agentId, sessionKey: owner.sessionKey, address: owner.address ?? home.address }
    : home;
  return delegatedVia(
    {
      requester: requesterOf(owner),
      rights: owner === undefined || owner.trusted ? ['configure'] : [],
      home: origin,
      hands: [],
    },
    `job:${id}`,
  );
}

/** Without an owner an operator made it, by command line, Control UI or by hand. */
function requesterOf(owner: CronOwner | undefined): Requester {
  if (owner === undefined) return { kind: 'operator', id: 'owner', scopes: OPERATOR_SCOPES };
  const { senders: ids = [], address, trusted } = owner;
  if (address) return { kind: 'people', channel: address.channel, accountId: address.accountId, ids, commands: false };
  return trusted
    ? { kind: 'operator', id: ids[0] ?? 'owner', scopes: OPERATOR_SCOPES }
    : { kind: 'people', channel: 'unknown', accountId: 'unknown', ids, commands: false };
}
