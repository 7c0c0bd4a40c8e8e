/** Decides whether a channel message may reach an agent; denied unless allowed. Explanations use it too. */
import { WELCOME, type Admission, type AdmissionStep, type Refused } from '../../core/admission.ts';
import type { ChannelPlugin } from '../../core/channel.ts';
import type { InboundMessage } from '../../core/message.ts';
import type { PlaceRules } from '../../core/place-rules.ts';
import { listing, type ReadsEntries } from './sender-list.ts';
import { senderRights, type SenderRights } from './sender-rights.ts';

export interface AccessRequest {
  readonly message: Pick<
    InboundMessage,
    'address' | 'spaceId' | 'sender' | 'addressesBot' | 'native' | 'quiet' | 'mentionsOthers'
  >;
  readonly channel: ReadsEntries & Pick<ChannelPlugin, 'capabilities'>;
  readonly rules: PlaceRules;
  /** The owner approved their pairing. It opens direct chats, never a group; `owner`: it was the owner's own. */
  readonly paired: boolean | 'owner';
  /** `commands.ownerAllowFrom`. */
  readonly owners?: readonly string[] | undefined;
  /** `tools.exec.approvers` of this channel. */
  readonly approvers?: readonly string[] | undefined;
  readonly mention: {
    /** The words name the agent. */
    readonly named: boolean;
    /** There are words that would. */
    readonly byWords: boolean;
  };
  /** `/activation` of the session; wins over requireMention. */
  readonly activation?: 'mention' | 'always' | undefined;
  /** The text is one of our commands. */
  readonly isCommand: boolean;
  /** `commands.useAccessGroups`: commands are only for those a list names. */
  readonly useAccessGroups: boolean;
}

export function admit(request: AccessRequest): Admission {
  if (request.channel.capabilities.operator)
    return {
      ...WELCOME,
      steps: [
        {
          step: 'operator',
          ok: true,
          detail: 'The sender is authenticated as an operator of the gateway.',
        },
      ],
    };
  return request.message.address.chat.kind === 'direct' ? admitDirect(request) : admitGroup(request);
}

function admitDirect(request: AccessRequest): Admission {
  const {
    message: { sender },
    rules: { direct },
    paired,
    channel,
  } = request;
  const policy: AdmissionStep = {
    step: 'dm-policy',
    ok: direct.value !== 'disabled',
    setting: direct.path,
    detail: DM_WORDS[direct.value],
  };
  if (!policy.ok) return refused([policy], `direct messages are disabled (${direct.path})`);
  const listed = listing(direct.allowFrom.value, sender.id, channel);
  const setting = direct.allowFrom.path;
  if (listed !== 'absent')
    return allowed(request, [
      policy,
      { step: 'allowlist', ok: true, setting, detail: listedWords(request, listed, setting) },
    ]);
  // An allowlist is the whole list: people approved before it was configured are not on it.
  if (paired && direct.value !== 'allowlist')
    return allowed(request, [
      policy,
      { step: 'pairing', ok: true, detail: `${idOf(request)} was approved as a paired sender.` },
    ]);
  const stranger: AdmissionStep = {
    step: 'allowlist',
    ok: false,
    setting,
    detail: `${idOf(request)} is not in ${setting}${STRANGER_WORDS[direct.value]}.`,
  };
  return refused(
    [policy, stranger],
    `sender ${sender.id || '(without an id)'} is not in ${setting}`,
    wantsPairing(request) ? { pairing: true } : {},
  );
}

/** Not what a bot writes, and not what nobody wrote: two machines would pair for ever. */
const wantsPairing = ({ rules, message: { sender, quiet } }: AccessRequest): boolean =>
  rules.direct.value === 'pairing' && sender.id !== '' && !sender.isBot && !quiet;

function admitGroup(request: AccessRequest): Admission {
  const {
    rules: { group },
  } = request;
  const policy: AdmissionStep = {
    step: 'group-policy',
    ok: group.value !== 'disabled',
    setting: group.path,
    detail: GROUP_WORDS[group.value],
  };
  if (!policy.ok) return refused([policy], `groups are disabled (${group.path})`);
  const place = group.listed && placeStep(request, group.listed);
  const steps = [policy, ...(place ? [place] : [])];
  if (place && !place.ok) return refused(steps, `this place is not listed in ${place.setting}`);
  const senders = sendersStep(request);
  steps.push(senders);
  if (!senders.ok) return refused(steps, asClause(senders.detail));
  const mention = mentionStep(request);
  steps.push(mention);
  return mention.ok
    ? allowed(request, steps)
    : refused(steps, 'the message does not address the agent', { unaddressed: true });
}

const placeStep = (
  { message: { address, spaceId } }: AccessRequest,
  listed: NonNullable<PlaceRules['group']['listed']>,
): AdmissionStep => ({
  step: 'group-listed',
  ok: listed.value,
  setting: listed.path,
  detail: listed.value
    ? 'This place is ' +
      `listed${listed.byName ? ` by a name, which others can take; its id is ${address.chat.id}${spaceId === undefined ? '' : `, in ${spaceId}`}` : ''}.`
    : `The chat ${address.chat.id} is not listed in ${listed.path}, or is disabled there.`,
});

function sendersStep(request: AccessRequest): AdmissionStep {
  const {
    rules: { group },
    message: { sender },
    channel,
  } = request;
  const step = 'group-senders';
  if (group.senders === undefined) {
    // Neither a list of places nor one of people: an allowlist that lists nothing allows nothing.
    const ok = group.value === 'open' || group.listed !== undefined;
    return {
      step,
      ok,
      setting: group.path,
      detail: ok
        ? 'Everybody in this chat may write.'
        : `${group.path} is "allowlist", but no chats or senders are listed.`,
    };
  }
  const setting = group.senders.path;
  if (sender.id === '')
    return {
      step,
      ok: false,
      setting,
      detail: 'The platform does not report the sender, and only listed senders may write here.',
    };
  const listed = listing(group.senders.value, sender.id, channel);
  return {
    step,
    ok: listed !== 'absent',
    setting,
    detail: listed === 'absent' ? `${idOf(request)} is not in ${setting}.` : listedWords(request, listed, setting),
  };
}

function mentionStep(request: AccessRequest): AdmissionStep {
  const {
    message,
    channel,
    rules: { group },
    mention,
    activation,
  } = request;
  const setting = activation === undefined ? group.requireMention.path : 'groupActivation of the session (/activation)';
  const said = (ok: boolean, detail: string): AdmissionStep => ({ step: 'mention', ok, setting, detail });
  if (message.quiet) return said(true, 'It needs no answer, so it does not have to address the agent.');
  if (activation === 'always' || (activation === undefined && !group.requireMention.value))
    return said(true, 'Messages here do not have to address the agent.');
  if (message.addressesBot || message.native) return said(true, 'The message addresses the agent.');
  // Who is named explicitly is meant, whatever other words say.
  if (message.mentionsOthers) return said(false, 'The message addresses somebody else.');
  if (mention.named) return said(true, 'The text names the agent.');
  if (channel.capabilities.mentions === false && !mention.byWords)
    return said(
      true,
      'The agent cannot be addressed here: the channel has no mentions, and no mentionPatterns are set.',
    );
  if (request.isCommand && rightsOf(request).commands)
    return said(true, 'Commands do not have to address the agent if the sender may use commands.');
  return said(false, 'The message does not mention, reply to or name the agent.');
}

/** What the sender may do beyond writing; the last steps tell why. */
const rightsOf = ({
  message: { address, sender },
  rules,
  channel,
  paired,
  owners,
  approvers,
  useAccessGroups,
}: AccessRequest): SenderRights =>
  senderRights({
    senderId: sender.id,
    inGroup: address.chat.kind !== 'direct',
    channel,
    elevates: channel.capabilities.elevatedBy === 'allowFrom',
    rules,
    paired,
    owners,
    approvers,
    useAccessGroups,
  });

function allowed(request: AccessRequest, steps: readonly AdmissionStep[]): Admission {
  const { commands, rights, steps: more } = rightsOf(request);
  return { kind: 'allowed', commands, rights, steps: [...steps, ...more] };
}

/** A sentence without its capital and its full stop, as reasons are written. */
const asClause = (sentence: string): string => `${sentence[0]!.toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;

const refused = (
  steps: readonly AdmissionStep[],
  reason: string,
  more: Pick<Refused, 'pairing' | 'unaddressed'> = {},
): Refused => ({ kind: 'refused', reason, ...more, steps });

const idOf = ({ message: { sender } }: AccessRequest): string =>
  sender.id === '' ? 'A sender without an id' : `Sender ${sender.id}`;

const listedWords = (request: AccessRequest, listed: 'named' | 'everybody', setting: string): string =>
  listed === 'named' ? `${idOf(request)} is in ${setting}.` : `${setting} has "*": writable by everybody.`;

const STRANGER_WORDS = {
  pairing: ', and was not approved',
  allowlist: '',
  open: ', which has no "*" although the policy is open',
  disabled: '',
} as const;

const DM_WORDS = {
  pairing: 'Unknown senders receive a pairing code that the owner approves.',
  allowlist: 'Only listed senders may write.',
  open: 'Everybody may write if allowFrom has "*".',
  disabled: 'Direct messages are disabled.',
} as const;

const GROUP_WORDS = {
  open: 'Groups are open.',
  allowlist: 'Only listed chats and senders are allowed.',
  disabled: 'Groups are disabled.',
} as const;
