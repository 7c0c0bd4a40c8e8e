/** The one function that decides whether a requester may do something, with every rule it checked. Pure. */
import { ACCESS_TABLE, type AccessRow, type Cell, type Opening, type Verb } from './access-table.ts';
import type { AdmissionStep } from './admission.ts';
import { sendersOf, standingOf, type Authority, type Home, type Standing } from './authority.ts';
import { AppError } from './errors.ts';
import type { ChatAddress } from './message.ts';
import { scopesGrant, type OperatorScope, type Right } from './principal.ts';
import { recordedCheck, type Ownership, type Resource, type AccessCheck } from './access-check.ts';

export type { Ownership, Resource, AccessCheck } from './access-check.ts';

/** `open`: what `access.open` lists. */
export const may = (
  authority: Authority,
  verb: Verb,
  resource: Resource,
  open: readonly Opening[] = [],
): AccessCheck => ({
  verb,
  resource,
  ...decide(authority, verb, resource, open),
});

function decide(
  authority: Authority,
  verb: Verb,
  { kind, of }: Resource,
  open: readonly Opening[],
): Pick<AccessCheck, 'ok' | 'steps'> {
  const standing = standingOf(authority);
  const who: AdmissionStep = {
    step: 'standing',
    ok: standing !== 'nobody',
    detail: standingWords(authority, standing),
  };
  if (standing === 'nobody') return { ok: false, steps: [who] };
  const row = ACCESS_TABLE.find((one) => one.kind === kind && one.verb === verb);
  if (!row)
    return {
      ok: false,
      steps: [who, { step: 'table', ok: false, detail: `No rule allows anybody to ${verb} a ${kind}.` }],
    };
  const evaluated = cellsOf(row, standing).map((cell) => evaluateCell(cell, { authority, row, of }));
  const decisive = evaluated.find(({ ok }) => ok) ?? evaluated.at(-1)!;
  const decided =
    decisive.ok && authority.hands.length > 0 ? (throughOthers({ authority, row, of }) ?? decisive) : decisive;
  if (decided.ok || row.opening === undefined) return { ok: decided.ok, steps: [who, decided] };
  const opened = open.includes(row.opening);
  const setting = `access.open`;
  return {
    ok: opened,
    steps: [
      who,
      decided,
      {
        step: 'opening',
        ok: opened,
        setting,
        detail: opened
          ? `"${row.opening}" is open to everybody who may write here.`
          : `The owner can allow it: add "${row.opening}" to ${setting}.`,
      },
    ],
  };
}

const cellsOf = ({ cells }: AccessRow, standing: Exclude<Standing, 'nobody'>): readonly Cell[] =>
  standing === 'operator' ? cells.operator : [cells[standing]];

/** A request that came through others may do at most what acts on behalf of the owner may. Undefined: allowed. */
function throughOthers(evaluation: CellEvaluation): AdmissionStep | undefined {
  const { ok } = evaluateCell(evaluation.row.cells.delegate, evaluation);
  return ok
    ? undefined
    : {
        step: 'hands',
        ok,
        detail:
          `${evaluation.row.verb} ${evaluation.row.kind}: only in ` +
          `person${evaluation.row.cells.delegate === 'own' ? ', or within their own conversation' : ''}.`,
      };
}

interface CellEvaluation {
  readonly authority: Authority;
  readonly row: AccessRow;
  readonly of: Ownership | undefined;
}

function evaluateCell(cell: Cell, { authority, row: { kind, verb }, of }: CellEvaluation): AdmissionStep {
  const step = 'table';
  const what = `${verb} ${kind}`;
  if (cell === 'yes') return { step, ok: true, detail: `${what}: yes.` };
  if (cell === 'no') return { step, ok: false, detail: `${what}: not allowed.` };
  if (cell === 'own') {
    const own = owns(authority.home, of) && speaks(authority);
    return {
      step,
      ok: own,
      detail: own
        ? `${what}: it belongs to their own conversation.`
        : `${what}: only within their own conversation (${authority.home.sessionKey}).`,
    };
  }
  if (cell.startsWith('right:')) {
    const ok = authority.hands.length === 0 && authority.rights.includes(cell.slice('right:'.length) as Right);
    return {
      step,
      ok,
      detail: `${what}: needs the right "${cell.slice('right:'.length)}", in person${ok ? ', which they have' : ''}.`,
    };
  }
  const ok = authority.requester.kind === 'operator' && scopesGrant(authority.requester.scopes, cell as OperatorScope);
  return { step, ok, detail: `${what}: needs the scope ${cell}${ok ? ', which they have' : ''}.` };
}

/** Who may only look has no conversation of their own here. */
const speaks = ({ requester }: Authority): boolean =>
  requester.kind !== 'operator' || scopesGrant(requester.scopes, 'operator.write');

/** It belongs to the conversation they speak in, or was started there. */
export function owns(home: Home, { sessionKey, address, startedBy = [] }: Ownership = {}): boolean {
  if (sessionKey !== undefined && sessionKey === home.sessionKey) return true;
  if (startedBy.includes(home.sessionKey)) return true;
  return address !== undefined && isChatOf(home.address, address);
}

/** A thread is another place than the chat it hangs in: on some platforms its id could be that of any channel. */
function isChatOf(
  home: ChatAddress,
  { channel, accountId, chat, threadId }: NonNullable<Ownership['address']>,
): boolean {
  if (channel !== home.channel || accountId !== home.accountId || chat === undefined) return false;
  return (
    chat.id === home.chat.id && chat.kind === home.chat.kind && (threadId === undefined || threadId === home.threadId)
  );
}

function standingWords(authority: Authority, standing: Standing): string {
  const { requester, hands } = authority;
  const through = hands.length === 0 ? '' : `, through ${hands.join(', ')}`;
  const ids = sendersOf(authority).join(', ');
  switch (requester.kind) {
    case 'operator':
      return (
        `Asked by an operator of the gateway, ${ids}${through} (${standing}; ` +
        `${requester.scopes.join(', ') || 'no scopes'}).`
      );
    case 'people':
      return (
        `Asked by ${ids || 'a sender without an id'} on ${requester.channel}${through} ` +
        `(${standing}${authority.rights.length > 0 ? `; rights: ${authority.rights.join(', ')}` : ''}).`
      );
    case 'program':
      return `Asked by the program ${requester.name}${through} (${standing}).`;
    case 'gateway':
      return `The agent acts on its own${through} (${standing}).`;
    case 'nobody':
      return 'The requester is unknown.';
  }
}

/** Whether it needed more than the right to write in that conversation, which is not worth recording. */
export const exceedsOwnChat = (
  { home }: Authority,
  { verb, resource }: Pick<AccessCheck, 'verb' | 'resource'>,
): boolean =>
  !may(
    {
      requester: {
        kind: 'people',
        channel: home.address.channel,
        accountId: home.address.accountId,
        ids: [],
        commands: false,
      },
      rights: [],
      home,
      hands: [],
    },
    verb,
    resource,
  ).ok;

/** Called with each access check of a run and its answer. */
export type RecordAccess = (run: { readonly id: string; readonly authority: Authority }, check: AccessCheck) => void;

/** Throws `denied` with the sentences that decided. `what`: one sentence on what was tried. */
export function assertAllowed(check: AccessCheck, what: string): void {
  if (!check.ok)
    throw new AppError('denied', `${what} ${reasonOf(check)}`, { details: { access: recordedCheck(check) } });
}

/** Why not, in sentences. */
export const reasonOf = ({ steps }: AccessCheck): string =>
  steps
    .filter(({ step, ok }) => !ok || step === 'standing')
    .map(({ detail }) => detail)
    .join(' ');
