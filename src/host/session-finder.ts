/** Finds the session that a tool names, if the turn may access it; the same for all tools. */
import type { RecordAccess } from '../core/may.ts';
import type { Turn } from '../core/turn.ts';
import type { SessionEntry } from '../sessions/entry.ts';

/** What is wanted of it. */
export type SessionAction = 'list' | 'history' | 'send' | 'status';

/** A session that is there and may be seen. */
export interface FoundSession {
  readonly key: string;
  readonly entry: SessionEntry;
}

/** The session, or why the turn does not get it, in words for the model. */
export type Found =
  | { readonly status: 'ok'; readonly session: FoundSession }
  | { readonly status: 'forbidden' | 'error'; readonly error: string; readonly sessionKey?: string };

/** Which sessions a turn may see and write to: one answer for everything that asks. */
export interface SessionFinder {
  checkAccess(
    session: { readonly key: string; readonly entry: SessionEntry | undefined },
    action: SessionAction,
  ): { readonly ok: true } | { readonly ok: false; readonly error: string };
  /** What nobody is shown. */
  isHidden(key: string): boolean;
  /** The main session of an agent; absent: of the one that asks. */
  mainKey(agentId?: string): string;
  /** As the requester's agent writes it: `main` for its main session. */
  shown(key: string): string;
  /** By key or by the id of its transcript. */
  find(written: string, action: SessionAction): Promise<Found>;
  findLabel(
    named: { readonly label: string; readonly agentId?: string | undefined },
    action: SessionAction,
  ): Promise<Found>;
}

/** `keep`: called for sessions that a request names, not for those that a list contains. */
export type FindSessions = (turn: Turn, keep: RecordAccess | undefined) => SessionFinder;
