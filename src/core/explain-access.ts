/**
 * Explains a decision of `may` to people: the requester, their rights, the reason for a denial, and what would change
 * it. It calls `may` and decides nothing itself. Pure.
 */
import { ACCESS_TABLE, type AccessRow, type Opening, type ResourceKind, type Verb } from './access-table.ts';
import type { AdmissionStep } from './admission.ts';
import { delegatedVia, sendersOf, standingOf, type Authority, type Standing } from './authority.ts';
import { AppError } from './errors.ts';
import { may, type Ownership, type Resource } from './may.ts';
import type { OperatorScope, Right } from './principal.ts';
import { head } from './cut.ts';
import { present } from './present.ts';

/** An authority in fields a person reads. */
export interface RequesterView {
  readonly standing: Standing;
  readonly kind: Authority['requester']['kind'];
  /** Stable ids of those who ask. */
  readonly ids: readonly string[];
  readonly channel?: string;
  readonly accountId?: string;
  readonly scopes?: readonly string[];
  /** All of them may use commands. */
  readonly commands?: boolean;
  readonly rights: readonly Right[];
  /** The conversation they ask in. */
  readonly sessionKey: string;
  readonly hands: readonly string[];
}

/** Who asked, in the shape that `access explain` and the timeline show. */
export function requesterView(authority: Authority): RequesterView {
  const { requester, rights, home, hands } = authority;
  return {
    standing: standingOf(authority),
    kind: requester.kind,
    ids: sendersOf(authority),
    rights,
    sessionKey: home.sessionKey,
    hands,
    ...(requester.kind === 'people'
      ? { channel: requester.channel, accountId: requester.accountId, commands: requester.commands }
      : {}),
    ...present({ scopes: requester.kind === 'operator' ? requester.scopes : undefined }),
  };
}

/** The extent of a right for one verb and one kind of resource. */
export interface AccessExtent {
  readonly kind: ResourceKind;
  readonly verb: Verb;
  readonly means: string;
  /** `own`: what belongs to their conversation. */
  readonly reach: 'everywhere' | 'own' | 'nowhere';
}

/** Every row of the table, as it is for them. */
export const extentsOf = (authority: Authority, open: readonly Opening[] = []): readonly AccessExtent[] =>
  ACCESS_TABLE.map(({ kind, verb, means }) => {
    const act = { kind: kind as ResourceKind, verb: verb as Verb };
    const allowed = (of?: Ownership): boolean => may(authority, act.verb, present({ kind: act.kind, of }), open).ok;
    return { ...act, means, reach: allowed() ? 'everywhere' : allowed(ownOf(authority)) ? 'own' : 'nowhere' };
  });

const ownOf = ({ home: { sessionKey } }: Authority): Ownership => ({ sessionKey });

/** One line of `access explain`: a verb on a thing, whether it is allowed, and the steps that led there. */
export interface AccessAnswer {
  readonly verb: Verb;
  readonly kind: ResourceKind;
  readonly means: string;
  /** Which thing it is about, in words: `one of another conversation`, `job 7, of agent:main:main`. */
  readonly thing: string;
  readonly ok: boolean;
  readonly steps: readonly AdmissionStep[];
  /** What would make it a yes, each by itself; checked with the same function. */
  readonly changes: readonly string[];
}

/** A thing, and what a person calls it. */
export interface NamedThing {
  readonly words: string;
  readonly of?: Ownership;
}

/** Without a thing: one of their own and one of another conversation; one answer where that is the same. */
export function explainAct(
  authority: Authority,
  [verb, kind]: readonly [Verb, ResourceKind],
  open: readonly Opening[] = [],
  thing?: NamedThing,
): readonly AccessAnswer[] {
  if (thing) return [answer(authority, [verb, kind], open, thing)];
  const other = answer(authority, [verb, kind], open, { words: 'one of another conversation' });
  const own = answer(authority, [verb, kind], open, { words: 'one of their own conversation', of: ownOf(authority) });
  return own.ok === other.ok ? [{ ...other, thing: 'any' }] : [own, other];
}

function answer(
  authority: Authority,
  [verb, kind]: readonly [Verb, ResourceKind],
  open: readonly Opening[],
  { words, of }: NamedThing,
): AccessAnswer {
  const resource: Resource = present({ kind, of });
  const { ok, steps } = may(authority, verb, resource, open);
  const row = ACCESS_TABLE.find((one) => one.kind === kind && one.verb === verb)!;
  return {
    verb,
    kind,
    means: row.means,
    thing: words,
    ok,
    steps,
    changes: ok ? [] : changesFor({ authority, row, resource, open }),
  };
}

interface Refusal {
  readonly authority: Authority;
  readonly row: AccessRow;
  readonly resource: Resource;
  readonly open: readonly Opening[];
}
/** `instead`: of those with the same word the first that helps is enough. */
interface Change {
  readonly words: string;
  readonly instead?: string;
  readonly authority?: Authority;
  readonly open?: readonly Opening[];
  readonly resource?: Resource;
}

/** Each is tried; only those that help are reported. */
function changesFor(refusal: Refusal): readonly string[] {
  const { authority, row, resource, open } = refusal;
  const helping = candidates(refusal).filter(
    (change) =>
      may(change.authority ?? authority, row.verb as Verb, change.resource ?? resource, change.open ?? open).ok,
  );
  return helping
    .filter(({ instead }, at) => instead === undefined || helping.findIndex((one) => one.instead === instead) === at)
    .map(({ words }) => words);
}

function candidates({ authority, row, resource, open }: Refusal): readonly Change[] {
  const { requester } = authority;
  const inPerson: Authority = { ...authority, hands: [] };
  return [
    ...(requester.kind === 'people' ? peopleChanges(authority, requester) : []),
    ...(requester.kind === 'operator' ? scopeChanges(authority, requester) : []),
    ...(authority.hands.length > 0
      ? [{ words: 'Ask in person: a request that is passed on has fewer rights.', authority: inPerson }]
      : []),
    ...(requester.kind === 'nobody'
      ? []
      : [
          {
            words: 'Ask in the conversation it belongs to.',
            resource: { kind: resource.kind, of: ownOf(authority) },
          },
        ]),
    ...(row.opening === undefined
      ? []
      : [
          {
            words: `Add "${row.opening}" to access.open: this allows everybody who may write here.`,
            open: [...open, row.opening],
          },
        ]),
  ];
}

type People = Extract<Authority['requester'], { kind: 'people' }>;
type Operator = Extract<Authority['requester'], { kind: 'operator' }>;

function peopleChanges(authority: Authority, requester: People): readonly Change[] {
  const {
    channel,
    ids: [id = '<id>'],
  } = requester;
  const having = (...rights: readonly Right[]): Authority => ({
    ...authority,
    rights: [...new Set([...authority.rights, ...rights])],
  });
  return [
    {
      words: `List the sender ${id} in allowFrom by id: they may then use commands.`,
      authority: { ...authority, requester: { ...requester, commands: true } },
    },
    {
      words: `List ${id} in tools.exec.approvers.${channel}: they may then answer approvals.`,
      authority: having('approve'),
    },
    {
      words: `List ${id} in tools.elevated.allowFrom.${channel}: they may then use elevated mode.`,
      authority: having('elevate'),
    },
    {
      words:
        `Make them the owner: add "${channel}:${id}" to commands.ownerAllowFrom, or approve them as the owner ` +
        `(\`pairing approve ${channel} <code> --owner\`, or *Make owner* on the Channels page).`,
      authority: having('configure', 'approve', 'elevate'),
    },
  ];
}

/** The least first: one that helps is enough to tell. */
const BY_EXTENT: readonly OperatorScope[] = ['operator.read', 'operator.write', 'operator.approvals', 'operator.admin'];

const scopeChanges = (authority: Authority, requester: Operator): readonly Change[] =>
  BY_EXTENT.map((scope) => ({
    words: `Give the device the scope ${scope}.`,
    instead: 'scope',
    authority: {
      ...authority,
      rights: scope === 'operator.admin' ? ['approve', 'elevate', 'configure'] : authority.rights,
      requester: { ...requester, scopes: [...requester.scopes, scope] },
    },
  }));

/** Parses the notation of a person for a row of the table; `invalid` lists the valid ones. */
export function readAct(verb: string, kind: string): readonly [Verb, ResourceKind] {
  const kinds = [...new Set(ACCESS_TABLE.map((row) => row.kind))];
  if (!kinds.includes(kind))
    throw new AppError('invalid', `Unknown resource "${head(kind, 64)}". Resources: ${kinds.join(', ')}.`);
  const verbs = ACCESS_TABLE.filter((row) => row.kind === kind).map((row) => row.verb);
  if (!verbs.includes(verb))
    throw new AppError('invalid', `No rule for "${head(verb, 64)}" on ${kind}. Actions: ${verbs.join(', ')}.`);
  return [verb as Verb, kind as ResourceKind];
}

/** As in `job:7`: the kind, and which one. */
export function readResource(written: string): { readonly kind: string; readonly id?: string } {
  const at = written.indexOf(':');
  if (at < 0) return { kind: written.trim() };
  const id = written.slice(at + 1).trim();
  return present({ kind: written.slice(0, at).trim(), id: id !== '' ? id : undefined });
}

/** The same requester, after these hands. */
export const delegatedViaAll = (authority: Authority, hands: readonly string[]): Authority =>
  hands.reduce(delegatedVia, authority);
