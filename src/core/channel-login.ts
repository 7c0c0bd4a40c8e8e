/** A login confirmed on another device: what a channel offers, and its progress. */
import type { Log } from './log.ts';

/**
 * A login that is stored in files, because a person confirms it on a device that is logged in: by scanning a QR code,
 * or by typing a code.
 */
export interface ChannelLogin<C> {
  readonly methods: readonly LoginMethod[];
  /** What the person does, one sentence each. */
  readonly steps: readonly string[];
  /** Whether an account has a login. Reads files, connects nothing. */
  state(account: LoginAccount<C>): Promise<LoginState>;
  /**
   * Runs while the account is not connected. Resolves once the login is on disk; the previous login stays until then.
   * `timeout`: nobody confirmed it.
   */
  run(
    account: LoginAccount<C> & { readonly signal: AbortSignal },
    request: LoginRequest,
    show: LoginShow,
  ): Promise<LoginState>;
}

/** The account that logs in. */
export interface LoginAccount<C> {
  readonly accountId: string;
  readonly config: C;
  /** A folder of this account's own. */
  readonly stateDir: string;
  readonly log: Log;
}

/** `qr`: a picture the other device scans; `code`: letters that are typed there. */
export const LOGIN_METHODS = ['qr', 'code'] as const;
/** One of `LOGIN_METHODS`. */
export type LoginMethod = (typeof LOGIN_METHODS)[number];

/** `phone`: of the device, where a code needs it. */
export interface LoginRequest {
  readonly method: LoginMethod;
  readonly phone?: string;
}

/** Whether an account is logged in, and as whom. */
export interface LoginState {
  readonly linked: boolean;
  readonly as?: string;
}

/** What the person needs now; a newer one replaces the one before. `expiresAt`: milliseconds since the epoch. */
export interface LoginPrompt {
  readonly kind: LoginMethod;
  /** What the QR code says, or the code to type. */
  readonly text: string;
  readonly expiresAt: number;
}
/** Shows a prompt to the person who logs in. */
export type LoginShow = (prompt: LoginPrompt) => void;
