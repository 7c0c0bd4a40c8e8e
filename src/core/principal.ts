/** The identity of a client, and the one pure function that decides whether it has a scope. */

/** All scopes an operator's token can have. */
export const OPERATOR_SCOPES = [
  'operator.admin',
  'operator.read',
  'operator.write',
  'operator.approvals',
  'operator.pairing',
] as const;
/** One right of an operator's token over the gateway's methods. */
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

/** Who is at the other end of a connection or behind a message, once that is proved. */
export type Principal =
  | { readonly kind: 'owner' }
  | { readonly kind: 'operator'; readonly id: string; readonly scopes: readonly string[] }
  | { readonly kind: 'node'; readonly id: string }
  | { readonly kind: 'sender'; readonly channel: string; readonly id: string; readonly authorized: boolean }
  | { readonly kind: 'internal'; readonly origin: 'cron' | 'session' | 'heartbeat' | 'restart' };

/** What the sender of a message may do beyond writing it; decided when it is accepted, kept with it. */
export type Right = 'approve' | 'approve-own' | 'elevate' | 'configure';

/** The principal of a client; the rights of a channel's senders come from the configuration. */
export const operatorRights = (principal: Principal): readonly Right[] => [
  ...(allow(principal, 'operator.approvals') ? ['approve' as const] : []),
  ...(allow(principal, 'operator.admin') ? ['elevate' as const, 'configure' as const] : []),
];

/** What an action needs: one operator scope, or to be a node, or nothing but being known. */
export type Requirement = OperatorScope | 'node' | 'any';

/** Answers `allow(principal, requirement)`; fails closed for everything it does not know. */
export function allow(principal: Principal, needs: Requirement): boolean {
  switch (principal.kind) {
    case 'owner':
      return needs !== 'node';
    case 'node':
      return needs === 'node' || needs === 'any';
    case 'operator':
      return needs === 'any' || (needs !== 'node' && scopesGrant(principal.scopes, needs));
    case 'sender':
      return principal.authorized && (needs === 'operator.write' || needs === 'operator.read');
    case 'internal':
      return needs === 'operator.write' || needs === 'operator.read' || needs === 'any';
  }
}

/** `operator.admin` grants everything, `operator.write` implies read. */
export function scopesGrant(held: readonly string[], needed: OperatorScope): boolean {
  if (held.includes('operator.admin') || held.includes(needed)) return true;
  return needed === 'operator.read' && held.includes('operator.write');
}
