/** The session service for gateway, features and tools: list, change, reset, delete, compact. */
import type { Message } from '../core/transcript.ts';
import type { SessionEntry, SessionPatch } from '../sessions/entry.ts';

/** The operations on sessions. `canonicalKey` gives the form in which keys are stored. */
export interface SessionService {
  canonicalKey(raw: string): string;
  get(key: string): Promise<SessionEntry | undefined>;
  /** Newest first. */
  list(filter?: {
    agentId?: string;
    activeSince?: number;
    search?: string;
    label?: string;
    spawnedBy?: string;
    archived?: boolean;
    pinned?: boolean;
    limit?: number;
  }): Promise<readonly { key: string; entry: SessionEntry }[]>;
  count(agentId?: string): Promise<number>;
  storePath(agentId?: string): string;
  /** Creates the entry when the key is new. A taken `label`: `conflict`. */
  patch(key: string, patch: SessionPatch): Promise<SessionEntry>;
  reset(key: string): Promise<SessionEntry>;
  /**
   * A new session with the transcript of `key` up to the turn of `entryId`, that turn included unless `before`. No such
   * session or entry: `not_found`.
   */
  branch(
    key: string,
    from: { entryId: string; before: boolean },
  ): Promise<{ key: string; entry: SessionEntry; copied: number }>;
  /** Aborts and awaits the run, archives the transcript. The main session: `invalid`. */
  delete(key: string, options: { archiveTranscript: boolean }): Promise<{ deleted: boolean; archived: string[] }>;
  /** With `maxLines`: keeps the last lines; without: the model writes a summary. */
  compact(
    key: string,
    options: { maxLines?: number; instructions?: string },
  ): Promise<{ compacted: boolean; kept?: number; archived?: string; reason?: string }>;
  /** The newest messages of a transcript without reading all of it. */
  tail(key: string, limit: number): Promise<readonly Message[]>;
}
