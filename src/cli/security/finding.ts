/** A finding of the audit: something the owner opened, or probably did not intend. */
import type { AccountPlan } from '../../plugins/channel-accounts.ts';
import type { Config } from '../../schema.ts';

export const LEVELS = ['critical', 'warn', 'info'] as const;
export type Level = (typeof LEVELS)[number];

export interface AuditFinding {
  readonly level: Level;
  /** The setting it rests on, or a file. */
  readonly path: string;
  /** Who may do what because of it, in one sentence. */
  readonly problem: string;
  readonly fix: string;
}

/**
 * What the rules look at; nothing of it is changed. `accounts`: of every channel that is configured; `asRoot`: whoever
 * asks is root, as a gateway of theirs is.
 */
export interface Audited {
  readonly config: Config;
  readonly accounts: readonly AccountPlan[];
  readonly asRoot: boolean;
}

/** One rule: everything in a configuration that it is about. */
export type Rule = (audited: Audited) => readonly AuditFinding[];

export const when = (holds: boolean, finding: AuditFinding): readonly AuditFinding[] => (holds ? [finding] : []);
