/** Serves `channel.pairing.*`: requests for access to direct chats, and the owner's decisions. */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { allow } from '../../core/principal.ts';
import {
  pairingApprovalParams,
  pairingDecisionParams,
  pairingListParams,
  pairingRevokeParams,
} from '../../protocol/access.ts';
import { wirePairing } from '../ws/pairing-relay.ts';
import { method, type Methods } from './method.ts';

export const pairingMethods: Methods = {
  'channel.pairing.list': method({
    summary: 'Lists pending pairing requests, oldest first; for one channel also the approved senders.',
    needs: 'operator.pairing',
    params: pairingListParams,
    run: async ({ channel }, { services }) =>
      present({
        pending: (await services.pairing.list(channel)).map(wirePairing),
        approved: channel !== undefined ? await services.pairing.approved(channel) : undefined,
      }),
  }),

  'channel.pairing.approve': method({
    summary:
      'Approves a pairing request and notifies the person; groups are not affected. `owner` makes them an owner and ' +
      'needs operator.admin.',
    needs: 'operator.pairing',
    params: pairingApprovalParams,
    run: async ({ channel, code, owner }, { services, principal }) => {
      if (owner && !allow(principal, 'operator.admin'))
        throw new AppError('denied', 'Approving somebody as an owner needs the scope operator.admin.', {
          details: { code: 'MISSING_SCOPE', missingScope: 'operator.admin' },
        });
      return { request: wirePairing(await services.pairing.approve(channel, code, { owner })) };
    },
  }),

  'channel.pairing.reject': method({
    summary: 'Rejects a pairing request; the person is not notified.',
    needs: 'operator.pairing',
    params: pairingDecisionParams,
    run: async ({ channel, code }, { services }) => ({
      request: wirePairing(await services.pairing.reject(channel, code)),
    }),
  }),

  'channel.pairing.revoke': method({
    summary: 'Revokes a pairing approval; lists in the configuration are unchanged.',
    needs: 'operator.pairing',
    params: pairingRevokeParams,
    run: async ({ channel, id }, { services }) => ({ revoked: await services.pairing.revoke(channel, id) }),
  }),
};
