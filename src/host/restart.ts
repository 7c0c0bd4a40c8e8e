/** How a restart in place is requested. */
import type { Authority } from '../core/authority.ts';
import type { ChatAddress } from '../core/message.ts';

/** Why the gateway restarts, and who is notified afterwards. */
export interface RestartRequest {
  readonly reason: string;
  readonly delayMs?: number;
  readonly sessionKey?: string;
  readonly note?: string;
  readonly replyTo?: ChatAddress;
  /** What made it necessary; default `restart`. */
  readonly kind?: 'restart' | 'config-apply' | 'update';
  /** On whose word: what the session does about it acts on it. Absent: nobody's. */
  readonly authority?: Authority | undefined;
  /** Facts kept with the note. */
  readonly stats?: Readonly<Record<string, unknown>>;
  /** With the code on disk, which differs from the running code: the process starts over under the same id. */
  readonly fresh?: boolean;
}

/**
 * Restarts in place after `delayMs`; several requests become one. Afterwards `note` is told to the chat `replyTo`, or
 * without it to the agent of `sessionKey`. `joined`: it became one with a restart that was planned already.
 */
export type RequestRestart = (request: RestartRequest) => { readonly scheduledAt: number; readonly joined?: boolean };
