/**
 * The question and answer of an authorization check, and the bounded plain-data form that the timeline stores. Pure.
 */
import { cut } from './cut.ts';
import type { ResourceKind, Verb } from './access-table.ts';
import type { AdmissionStep } from './admission.ts';
import type { ChatAddress } from './message.ts';
import { present } from './present.ts';

/** The owner of the resource. Absent, and without any of these: nobody in particular. */
export interface Ownership {
  readonly sessionKey?: string | undefined;
  /** A chat; without `chat`: any chat. */
  readonly address?: (Pick<ChatAddress, 'channel'> & Partial<ChatAddress>) | undefined;
  /** Sessions it was started by, the nearest first. */
  readonly startedBy?: readonly string[] | undefined;
}

/** A resource and its owner. */
export interface Resource {
  readonly kind: ResourceKind;
  readonly of?: Ownership;
}

/** Whether an action is allowed, with the steps of the decision. */
export interface AccessCheck {
  readonly verb: Verb;
  readonly resource: Resource;
  readonly ok: boolean;
  /** The last one decided. */
  readonly steps: readonly AdmissionStep[];
}

/** An access check as the journal keeps it. */
export interface RecordedCheck {
  readonly verb: Verb;
  readonly kind: ResourceKind;
  readonly ok: boolean;
  /** Whose it is, as far as that is one conversation: its key, or its chat. */
  readonly of?: string;
  readonly steps: readonly AdmissionStep[];
}

/** Keys, ids and lists of senders come from outside. */
const MAX_CHARS = 300;

/** The access check without what only the check itself needs. */
export function recordedCheck({ verb, resource: { kind, of }, ok, steps }: AccessCheck): RecordedCheck {
  const whose =
    of?.sessionKey ??
    (of?.address &&
      [of.address.channel, of.address.accountId, of.address.chat?.id, of.address.threadId].filter(Boolean).join(' '));
  return {
    verb,
    kind,
    ok,
    ...present({ of: whose !== undefined ? cut(whose, MAX_CHARS) : undefined }),
    steps: steps.map((step) => ({ ...step, detail: cut(step.detail, MAX_CHARS) })),
  };
}

/** What a row or a result says of it; undefined when it makes no sense. */
export function readRecordedCheck(value: unknown): RecordedCheck | undefined {
  const { verb, kind, ok, steps } = (value ?? {}) as Partial<RecordedCheck>;
  return typeof verb === 'string' && typeof kind === 'string' && typeof ok === 'boolean' && Array.isArray(steps)
    ? (value as RecordedCheck)
    : undefined;
}
