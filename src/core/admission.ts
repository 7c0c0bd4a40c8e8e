/** Whether a message may reach an agent, with every check of the decision. */
import type { Right } from './principal.ts';

/** One look, in order; the first that is not `ok` decided. */
export interface AdmissionStep {
  /** operator, dm-policy, allowlist, pairing, group-policy, group-listed, group-senders, mention … */
  readonly step: string;
  readonly ok: boolean;
  /** The setting it rests on, e.g. `channels.telegram.dmPolicy`. */
  readonly setting?: string;
  /** One sentence for a person. */
  readonly detail: string;
}

/** The message gets in, with what its sender may do. */
export interface Admitted {
  readonly kind: 'allowed';
  /** May the sender use commands? Nobody may whom no configured list names. */
  readonly commands: boolean;
  readonly rights: readonly Right[];
  readonly steps: readonly AdmissionStep[];
}

/** The message stays outside, and why. */
export interface Refused {
  readonly kind: 'refused';
  /** One sentence for the timeline. */
  readonly reason: string;
  /** Only the address was missing: it is kept as context for the next answer. */
  readonly unaddressed?: true;
  /** An unknown sender may request access. */
  readonly pairing?: true;
  readonly steps: readonly AdmissionStep[];
}

/** The decision of the access gate about a message: admitted with rights, or refused with a reason. */
export type Admission = Admitted | Refused;

/** For what passes no access gate: the gateway's own surfaces and its own messages. */
export const WELCOME: Admitted = { kind: 'allowed', commands: true, rights: [], steps: [] };
