/** Sample authorities: by default, a sender on a channel. */
import { OPERATOR_SCOPES, type Right } from '../core/principal.ts';
import type { Authority, Home } from '../core/authority.ts';

const HOME: Home = {
  agentId: 'main',
  sessionKey: 'agent:main:main',
  address: { channel: 'pipe', accountId: 'default', chat: { kind: 'direct', id: 'c1' } },
};

export interface SamplePeople {
  readonly home?: Partial<Home>;
  readonly ids?: readonly string[];
  readonly commands?: boolean;
  readonly rights?: readonly Right[];
  readonly hands?: readonly string[];
}

/** Somebody on a channel who may use commands. */
export function peopleAuthority({
  home = {},
  ids = ['u1'],
  commands = true,
  rights = [],
  hands = [],
}: SamplePeople = {}): Authority {
  const whole = { ...HOME, ...home };
  return {
    requester: { kind: 'people', channel: whole.address.channel, accountId: whole.address.accountId, ids, commands },
    rights,
    home: whole,
    hands,
  };
}

/** Somebody at the gateway's own surface; all rights unless scopes are given. */
export function surfaceAuthority({
  scopes = OPERATOR_SCOPES,
  home = {},
  id = 'owner',
  hands = [],
}: {
  readonly scopes?: readonly string[];
  readonly home?: Partial<Home>;
  readonly id?: string;
  readonly hands?: readonly string[];
} = {}): Authority {
  const admin = scopes.includes('operator.admin');
  return {
    requester: { kind: 'operator', id, scopes },
    rights: [
      ...(admin || scopes.includes('operator.approvals') ? ['approve' as const] : []),
      ...(admin ? ['elevate' as const, 'configure' as const] : []),
    ],
    home: { ...HOME, ...home },
    hands,
  };
}
