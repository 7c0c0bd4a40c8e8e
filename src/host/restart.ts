/** How a restart in place is requested. */
import type { Authority } from '../core/authority.ts';
import type { ChatAddress } from '../core/message.ts';

/** Why the gateway is to restart, and who is told once it is back. */
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
  /** With the code on disk, which is another than the one running: the process begins anew under the same id. */
  readonly fresh?: boolean;
}

/**
 * Restarts in place after `delayMs`; several requests become one. Afterwards `note` is told to the chat `replyTo`, or
 * without it to the agent of `sessionKey`. `joined`: it became one with a restart that was planned already.
 */
export type RequestRestart = (request: RestartRequest) => { readonly scheduledAt: number; readonly joined?: boolean };
