/** Builds the authority of a channel message's sender, for real messages and for explanations. Pure. */
import type { Admission } from '../../core/admission.ts';
import { nobodysAuthority, type Authority, type Home } from '../../core/authority.ts';
import type { InboundMessage } from '../../core/message.ts';
import type { Route } from '../../core/route.ts';

/** A refused or quiet message requests nothing. */
export function authorityAtGate(
  message: Pick<InboundMessage, 'address' | 'sender' | 'quiet'>,
  route: Route,
  admission: Admission,
): Authority {
  const home = homeOf(route);
  if (admission.kind === 'refused' || message.quiet) return nobodysAuthority(home);
  const {
    address: { channel, accountId },
    sender,
  } = message;
  return {
    requester: {
      kind: 'people',
      channel,
      accountId,
      ids: sender.id === '' ? [] : [sender.id],
      commands: admission.commands,
    },
    rights: admission.rights,
    home,
    hands: [],
  };
}

export const homeOf = ({ agentId, sessionKey, replyTo }: Route): Home => ({ agentId, sessionKey, address: replyTo });
