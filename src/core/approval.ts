/** A request to approve a command, and the possible decisions. */

/** The answers a person can give to a command that needs approval. */
export const APPROVAL_DECISIONS = ['allow-once', 'allow-always', 'deny'] as const;
/** What a person says about a command that waits: once, from now on, or not at all. */
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** One program the command would start, as the shell parse found it. */
export interface ApprovalStep {
  /** The words of the command line, quotes resolved; `undefined` stands where only running it would tell. */
  readonly words: readonly (string | undefined)[];
  /** The file that would be executed, symbolic links resolved. */
  readonly path?: string;
  /** Why this step could not be proven safe; absent: it was. */
  readonly why?: string;
}

/** All a person needs to decide; shown whole, never shortened. */
export interface ApprovalRequest {
  readonly id: string;
  /** The first 8 characters of the id, unique among the pending. */
  readonly slug: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly host: 'gateway' | 'sandbox' | 'node';
  /** As it will be run. */
  readonly command: string;
  readonly cwd: string;
  /** Variables the model set. */
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly ApprovalStep[];
  /** Why it has to be asked, one sentence each. */
  readonly reasons: readonly string[];
  /** False: remembering would allow more than this command, so `allow-always` is not offered. */
  readonly rememberable: boolean;
  /** What `allow-always` would add to the allowlist, one line each. */
  readonly remember?: readonly string[];
  readonly elevated: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** How the waiting for a person's word ended; `at` is in milliseconds since the epoch. */
export interface ApprovalResolution {
  readonly id: string;
  readonly decision: ApprovalDecision | 'expired' | 'withdrawn';
  /** Who said so, e.g. `webchat operator`, `telegram 4711`. */
  readonly by?: string;
  readonly at: number;
}

/** A question that was put to a person. */
export interface ApprovalRequested {
  readonly request: ApprovalRequest;
  /** Resolves once; never rejects. */
  readonly decided: Promise<ApprovalResolution>;
}

/** The approvals file as it is on disk. */
export interface ApprovalsSnapshot {
  readonly path: string;
  readonly exists: boolean;
  /** SHA-256 of the text on disk, or of the empty text if there is no file: a replacement must name it. */
  readonly hash: string;
  /** Secrets left out. */
  readonly file: Readonly<Record<string, unknown>>;
  /** Nothing is allowed, because the file makes no sense. */
  readonly problem?: string;
}
