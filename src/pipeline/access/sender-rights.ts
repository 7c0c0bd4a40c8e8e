/** One sender's command access and rights; the access gate, `/whoami` and `/approve` all use it. Pure. */
import type { AdmissionStep } from '../../core/admission.ts';
import type { Right } from '../../core/principal.ts';
import type { PlaceRules, Setting } from '../../core/place-rules.ts';
import { present } from '../../core/present.ts';
import { listing, type ReadsEntries } from './sender-list.ts';

export interface SenderFacts {
  readonly senderId: string;
  readonly inGroup: boolean;
  readonly channel: ReadsEntries;
  /** The platform's own list may lift the sandbox (`capabilities.elevatedBy`). */
  readonly elevates: boolean;
  readonly rules: PlaceRules;
  /** The owner approved their pairing; `owner`: and said that it is the owner who asked. */
  readonly paired: boolean | 'owner';
  /** `commands.ownerAllowFrom`. */
  readonly owners: readonly string[] | undefined;
  /** `tools.exec.approvers.<channel>`. */
  readonly approvers: readonly string[] | undefined;
  /** `commands.useAccessGroups`. */
  readonly useAccessGroups: boolean;
}

export interface SenderRights {
  readonly commands: boolean;
  readonly rights: readonly Right[];
  /** Why, in order. */
  readonly steps: readonly AdmissionStep[];
}

export function senderRights(facts: SenderFacts): SenderRights {
  const owner = ownerStep(facts);
  const commands = commandStep(facts, owner.ok);
  const approve = approveStep(facts, owner.ok);
  const elevates = facts.elevates && isNamed(facts.rules.direct.allowFrom, facts);
  const rights: readonly Right[] = [
    ...(approve.right ? [approve.right] : []),
    ...(elevates ? ['elevate' as const] : []),
    ...(owner.ok ? ['configure' as const] : []),
  ];
  return {
    commands: commands.ok,
    rights,
    steps: [commands, owner, approve.step].map((step) => ({ ...step, ok: true })),
  };
}

const isNamed = (
  { value }: Setting<readonly string[]>,
  { senderId, channel }: Pick<SenderFacts, 'senderId' | 'channel'>,
): boolean => listing(value, senderId, channel) === 'named';
const who = ({ senderId }: SenderFacts): string => (senderId === '' ? 'A sender without an id' : `Sender ${senderId}`);

/**
 * The list of owners decides alone where it is given; else whoever direct chats name one by one. A pairing makes nobody
 * the owner but by the owner's word.
 */
function ownerStep(facts: SenderFacts): AdmissionStep {
  const {
    owners,
    paired,
    rules: { direct },
  } = facts;
  const step = 'owner';
  if (owners) {
    const setting = 'commands.ownerAllowFrom';
    const ok = listing(ofChannel(owners, facts.channel), facts.senderId, facts.channel) === 'named';
    return {
      step,
      ok,
      setting,
      detail: ok
        ? `${who(facts)} is the owner: ${setting} names them.`
        : `${who(facts)} is not the owner: ${setting} does not name them.`,
    };
  }
  if (isNamed(direct.allowFrom, facts))
    return {
      step,
      ok: true,
      setting: direct.allowFrom.path,
      detail: `${who(facts)} is the owner: ${direct.allowFrom.path} names them.`,
    };
  if (paired === 'owner' && direct.value !== 'allowlist')
    return { step, ok: true, detail: `${who(facts)} is the owner: they were approved as the owner.` };
  return {
    step,
    ok: false,
    setting: direct.allowFrom.path,
    detail: `${who(facts)} is not the owner: neither commands.ownerAllowFrom nor ${direct.allowFrom.path} names them.`,
  };
}

/** Entries of one list for all channels that are about this one, without the channel's name. */
function ofChannel(entries: readonly string[], { id, aliases = [] }: ReadsEntries): readonly string[] {
  return entries.flatMap((entry) => {
    const [, named, rest] = /^\s*([a-z][\w-]*)\s*:(.*)$/is.exec(entry) ?? [];
    return named !== undefined && [id, ...aliases].includes(named.toLowerCase()) && rest!.trim() !== '*'
      ? [rest!.trim()]
      : [];
  });
}

/**
 * Commands are denied unless a list names the person: "*" and an open policy let people write, not use commands. A
 * pairing counts in direct chats only.
 */
function commandStep(facts: SenderFacts, owner: boolean): AdmissionStep {
  const {
    inGroup,
    rules: { direct, group },
    paired,
    useAccessGroups,
  } = facts;
  const step = 'commands';
  if (!useAccessGroups)
    return { step, ok: true, setting: 'commands.useAccessGroups', detail: 'Everybody who may write may use commands.' };
  const lists = [...(inGroup && group.senders ? [group.senders] : []), direct.allowFrom];
  const naming = lists.find((list) => isNamed(list, facts));
  if (naming)
    return {
      step,
      ok: true,
      setting: naming.path,
      detail: `${who(facts)} may use commands: ${naming.path} names them.`,
    };
  if (owner) return { step, ok: true, detail: `${who(facts)} may use commands: they are the owner.` };
  if (!inGroup && paired && direct.value !== 'allowlist')
    return { step, ok: true, detail: `${who(facts)} may use commands as a paired sender.` };
  return {
    step,
    ok: false,
    setting: lists[0]!.path,
    detail: `${who(facts)} may write, but may only use /help, /commands, /status, /whoami and /new: no list names them.`,
  };
}

/**
 * A list of approvers is the whole list of its channel. Without one the owner answers for all, and whoever direct chats
 * name for what their own chat asked.
 */
function approveStep(facts: SenderFacts, owner: boolean): { readonly right?: Right; readonly step: AdmissionStep } {
  const {
    approvers,
    inGroup,
    rules: { direct },
    channel: { id },
  } = facts;
  const setting = `tools.exec.approvers.${id}`;
  if (approvers) {
    const ok = listing(approvers, facts.senderId, facts.channel) === 'named';
    return {
      ...present({ right: ok ? ('approve' as const) : undefined }),
      step: {
        step: 'approvals',
        ok,
        setting,
        detail: ok
          ? `${who(facts)} may answer approvals: ${setting} names them.`
          : `${who(facts)} may not answer approvals: ${setting} does not name them.`,
      },
    };
  }
  if (owner)
    return {
      right: 'approve',
      step: { step: 'approvals', ok: true, detail: `${who(facts)} may answer approvals as the owner.` },
    };
  if (!inGroup && isNamed(direct.allowFrom, facts))
    return {
      right: 'approve-own',
      step: {
        step: 'approvals',
        ok: true,
        setting: direct.allowFrom.path,
        detail: `${who(facts)} may answer approvals of this chat: ${direct.allowFrom.path} names them.`,
      },
    };
  return {
    step: {
      step: 'approvals',
      ok: false,
      setting,
      detail: `${who(facts)} may not answer approvals: they are not the owner, and ${setting} does not name them.`,
    },
  };
}
