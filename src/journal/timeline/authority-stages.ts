/**
 * The part of a message's timeline about authority: the requester, what was denied, and which actions went beyond the
 * own conversation.
 */
import { ACCESS_TABLE } from '../../core/access-table.ts';
import { present } from '../../core/present.ts';
import type { AdmissionStep } from '../../core/admission.ts';
import { sendersOf, standingOf, type Authority, type Standing } from '../../core/authority.ts';
import type { ChatKind } from '../../core/message.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { readRecordedCheck, type RecordedCheck } from '../../core/access-check.ts';
import type { Stage, StageStep } from '../rows.ts';

const MAY: Readonly<Record<Standing, string>> = {
  owner: 'the owner: may all there is',
  delegate: 'in the owner’s name: may reach other conversations, and change nothing that holds',
  operator: 'at the gateway’s own surface: may what the device’s scopes say',
  member: 'may use commands, read and write in this conversation, and use what was started or received in it',
  visitor: 'may read and write in this conversation, and use what was started or received in it',
  program: 'another program: may act in this conversation',
  nobody: '',
};
const PLACES: Readonly<Record<ChatKind, string>> = {
  direct: 'in a direct chat',
  group: 'in a group',
  channel: 'in a channel',
};
const MAX_NAMED = 3;

/** `name`: the display name of the sender. */
export function requesterStage(
  authority: Authority,
  { name, at }: { readonly name: string | undefined; readonly at: number },
): Stage {
  const standing = standingOf(authority);
  const through = authority.hands.length === 0 ? '' : `, through ${authority.hands.join(', ')}`;
  const detail =
    standing === 'nobody'
      ? 'Nobody can be found who asked for this, so it may do nothing but be answered.'
      : `Asked by ${requesterName(authority, name)}${through}; ${MAY[standing]}.`;
  const steps: readonly StageStep[] =
    authority.rights.length === 0 ? [] : [{ what: 'rights', outcome: 'success', reason: authority.rights.join(', ') }];
  return present({
    stage: 'authority',
    at,
    ok: standing !== 'nobody',
    detail: visibleLine(detail),
    steps: steps.length > 0 ? steps : undefined,
  });
}

function requesterName(authority: Authority, name: string | undefined): string {
  const { requester, home } = authority;
  const ids = sendersOf(authority);
  const several = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
  switch (requester.kind) {
    case 'people': {
      const named =
        ids
          .slice(0, MAX_NAMED)
          .map((id) => `${requester.channel}:${id}`)
          .join(', ') + several;
      return (
        `${name === undefined || ids.length !== 1 ? named || 'somebody without an id' : `${name} (${named})`} ` +
        `${PLACES[home.address.chat.kind]}`
      );
    }
    case 'operator':
      return requester.id === 'owner'
        ? 'you, at the gateway’s own surface'
        : `the device ${requester.id} (${requester.scopes.join(', ') || 'no scopes'})`;
    case 'program':
      return `the program ${requester.name}`;
    case 'gateway':
      return 'the agent itself';
    case 'nobody':
      return 'nobody';
  }
}

/** `Refused: look at a file somebody sent, of another conversation.` with every step. */
export function checkStage(check: RecordedCheck, at: number): Stage {
  const means = ACCESS_TABLE.find(({ kind, verb }) => kind === check.kind && verb === check.verb)?.means;
  const whose = check.of === undefined ? '' : ` (${check.of})`;
  return {
    stage: 'authority',
    at,
    ok: check.ok,
    detail: visibleLine(
      `${check.ok ? 'Allowed' : 'Refused'}: ${check.verb} ` +
        `${check.kind}${whose}${means === undefined ? '' : ` – ${means}`}.`,
    ),
    steps: check.steps.map(checkStep),
  };
}

const checkStep = ({ step, ok, setting, detail }: AdmissionStep): StageStep => ({
  what: setting === undefined ? step : `${step} (${setting})`,
  outcome: ok ? 'success' : 'blocked',
  reason: detail,
});

/** The access decision in the output of an `access` row, or of a rejected tool call. */
export function checkIn(output: unknown, kind: string): RecordedCheck | undefined {
  if (typeof output !== 'string') return undefined;
  if (kind === 'access') return readRecordedCheck(JSON.parse(output));
  return output.includes('"access"')
    ? readRecordedCheck((JSON.parse(output) as { details?: { access?: unknown } }).details?.access)
    : undefined;
}
