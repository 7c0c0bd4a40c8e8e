/**
 * The authority of a requester. It is created where a message enters and carried by the turn and by everything the
 * turn starts. Pure.
 */
import type { ChatAddress } from './message.ts';
import { operatorRights, OPERATOR_SCOPES, type Principal, type Right } from './principal.ts';

/**
 * The requester: a person in the web chat or a client, people of a channel, a program, the gateway itself, or nobody.
 */
export type Requester =
  /** Somebody at the gateway's own surface: web chat, HTTP, command line. */
  | { readonly kind: 'operator'; readonly id: string; readonly scopes: readonly string[] }
  /** Everybody whose words asked for it, by the channel's stable ids. `commands`: all of them may use commands. */
  | {
      readonly kind: 'people';
      readonly channel: string;
      readonly accountId: string;
      readonly ids: readonly string[];
      readonly commands: boolean;
    }
  /** Another program, over HTTP. */
  | { readonly kind: 'program'; readonly name: string }
  /** The agent itself: no person started it. */
  | { readonly kind: 'gateway' }
  | { readonly kind: 'nobody' };

/** The conversation something was asked in. */
export interface Home {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly address: ChatAddress;
}

/** Who asked for work and with which rights; it travels with the work, and only loses rights on the way. */
export interface Authority {
  readonly requester: Requester;
  /** What all who asked may do beyond their own conversation. */
  readonly rights: readonly Right[];
  readonly home: Home;
  /**
   * Through whom it came, the first first: `job:<id>`, `session:<key>`, `process:<id>`, `heartbeat`, `restart`. Empty:
   * asked in person.
   */
  readonly hands: readonly string[];
}

/** The standing of a requester; a column of the table in `access-table.ts`. */
export const STANDINGS = ['owner', 'delegate', 'operator', 'member', 'visitor', 'program', 'nobody'] as const;
/** The column of the table of rights that a requester falls into. */
export type Standing = (typeof STANDINGS)[number];

/** Rights of a person directly make the owner; the same rights passed on act for the owner. */
export function standingOf({ requester, rights, hands }: Pick<Authority, 'requester' | 'rights' | 'hands'>): Standing {
  const configures = rights.includes('configure');
  switch (requester.kind) {
    case 'operator':
      return configures ? trusted(hands) : 'operator';
    case 'people':
      return configures ? trusted(hands) : requester.commands ? 'member' : 'visitor';
    case 'gateway':
      return 'delegate';
    case 'program':
      return 'program';
    case 'nobody':
      return 'nobody';
  }
}

const trusted = (hands: readonly string[]): Standing => (hands.length === 0 ? 'owner' : 'delegate');

/** The authority of a client of the gateway. */
export function operatorAuthority(principal: Principal, home: Home): Authority {
  const rights = operatorRights(principal);
  switch (principal.kind) {
    case 'owner':
      return { requester: { kind: 'operator', id: 'owner', scopes: OPERATOR_SCOPES }, rights, home, hands: [] };
    case 'operator':
      return { requester: { kind: 'operator', id: principal.id, scopes: principal.scopes }, rights, home, hands: [] };
    case 'internal':
      return gatewayAuthority(home);
    case 'node':
    case 'sender':
      return nobodysAuthority(home);
  }
}

/** For work the gateway begins by itself, such as heartbeats: it has no rights beyond its own conversation. */
export const gatewayAuthority = (home: Home): Authority => ({
  requester: { kind: 'gateway' },
  rights: [],
  home,
  hands: [],
});
/** For work a program asked for over HTTP: it has no rights beyond its own conversation. */
export const programAuthority = (name: string, home: Home): Authority => ({
  requester: { kind: 'program', name },
  rights: [],
  home,
  hands: [],
});
/** For work whose requester is unknown: it may only be answered. */
export const nobodysAuthority = (home: Home): Authority => ({
  requester: { kind: 'nobody' },
  rights: [],
  home,
  hands: [],
});

/** The same people, one hand further. Where it was asked stays where it was asked. */
export const delegatedVia = (authority: Authority, hand: string): Authority =>
  authority.hands.at(-1) === hand ? authority : { ...authority, hands: [...authority.hands, hand].slice(-MAX_HANDS) };

/** The nearest are kept; that there were any is what counts. */
const MAX_HANDS = 8;

/** Who asked, by stable ids: limits for these people hold in all that comes of it. */
export function sendersOf({ requester }: Pick<Authority, 'requester'>): readonly string[] {
  switch (requester.kind) {
    case 'operator':
      return [requester.id];
    case 'people':
      return requester.ids;
    default:
      return [];
  }
}

/** The owner's word, in person or not: it may reach beyond the conversation it was said in. */
export const actsForOwner = (authority: Authority): boolean => ['owner', 'delegate'].includes(standingOf(authority));

/** Nobody stands between the words and the act. */
export const isDirectRequest = ({ requester, hands }: Authority): boolean =>
  hands.length === 0 && (requester.kind === 'operator' || requester.kind === 'people');

/** May use chat commands that reveal no secrets and cause no costs. */
export const mayCommand = ({ requester, rights }: Authority): boolean => {
  switch (requester.kind) {
    case 'operator':
      return requester.scopes.includes('operator.write') || requester.scopes.includes('operator.admin');
    case 'people':
      return requester.commands || rights.includes('configure');
    default:
      return false;
  }
};

/** What a file says of an authority; undefined when it makes no sense. */
export function readAuthority(value: unknown): Authority | undefined {
  const { requester, rights, home, hands } = (value ?? {}) as Partial<Authority>;
  const isKnown = ['operator', 'people', 'program', 'gateway', 'nobody'].includes(requester?.kind ?? '');
  return isKnown &&
    Array.isArray(rights) &&
    Array.isArray(hands) &&
    typeof home?.sessionKey === 'string' &&
    typeof home.address?.channel === 'string'
    ? (value as Authority)
    : undefined;
}

/**
 * The authority of several requesters of the same work: only the rights that all of them have, and the hands of each.
 * Requesters of different kinds together count as nobody.
 */
export function combineAuthorities([first, ...others]: readonly [Authority, ...Authority[]]): Authority {
  return others.reduce(joinedBy, first);
}

function joinedBy(a: Authority, b: Authority): Authority {
  const rights = a.rights.filter((right) => b.rights.includes(right));
  const hands = [...new Set([...a.hands, ...b.hands])].slice(-MAX_HANDS);
  return { requester: joined(a, b), rights, home: a.home, hands };
}

function joined(a: Authority, b: Authority): Requester {
  const [one, other] = [a.requester, b.requester];
  if (
    one.kind === 'people' &&
    other.kind === 'people' &&
    one.channel === other.channel &&
    one.accountId === other.accountId
  ) {
    return { ...one, ids: [...new Set([...one.ids, ...other.ids])], commands: one.commands && other.commands };
  }
  if (one.kind === 'operator' && other.kind === 'operator')
    return { ...one, scopes: one.scopes.filter((scope) => other.scopes.includes(scope)) };
  return one.kind === other.kind && (one.kind === 'gateway' || one.kind === 'program') ? one : { kind: 'nobody' };
}

/** Which messages may share a turn: all that decides what they may do, but who in particular wrote them. */
export function sharingKey({ requester, rights, hands }: Authority): string {
  const who = requester.kind === 'people' ? { kind: requester.kind, commands: requester.commands } : requester;
  return JSON.stringify([who, rights, hands]);
}
