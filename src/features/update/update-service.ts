/** What the gateway serves of its own renewal: whether there is newer code, and taking it. */
import type { Authority } from '../../core/authority.ts';
import type { ChatAddress } from '../../core/message.ts';

export interface UpdateStep {
  readonly name: string;
  readonly command: string;
  readonly cwd: string;
  readonly durationMs: number;
  /**
   * The ends of what it wrote, at most 8000 characters each, without secrets. `exitCode` is null when it did not end by
   * itself.
   */
  readonly log: { readonly stdoutTail: string; readonly stderrTail: string; readonly exitCode: number | null };
}

export type UpdateMode = 'git' | 'npm' | 'none';
/** One state of the code; `sha` in checkouts. */
export interface CodeVersion {
  readonly version: string;
  readonly sha?: string;
}

/**
 * `skipped`: nothing was touched. `error`: it was tried, and the code is the old one again unless `advice` says
 * otherwise.
 */
export interface UpdateReport {
  readonly status: 'ok' | 'error' | 'skipped';
  readonly mode: UpdateMode;
  readonly root: string;
  /** A word for programs, e.g. `dirty`, `up-to-date`, `build-failed`. */
  readonly reason?: string;
  /** The same for people, with what to do. */
  readonly advice?: string;
  readonly before?: CodeVersion;
  readonly after?: CodeVersion;
  readonly steps: readonly UpdateStep[];
  readonly durationMs: number;
  /** When the new code begins. */
  readonly restart?: { readonly scheduledAt: number; readonly delayMs: number };
}

export interface UpdateStatus {
  readonly mode: UpdateMode;
  readonly root: string;
  readonly current: CodeVersion;
  /** Newer code that would be taken; absent: none, or it cannot be told. */
  readonly available?: CodeVersion & { readonly upstream?: string; readonly behind?: number };
  /** What stands in the way of an update. */
  readonly reason?: string;
  readonly advice?: string;
  /** What it is doing now. */
  readonly running?: { readonly step: string; readonly startedAt: number };
  /** How the last one of this process ended. */
  readonly last?: { readonly status: UpdateReport['status']; readonly reason?: string; readonly endedAt: number };
}

export interface UpdateRequest {
  readonly timeoutMs?: number | undefined;
  readonly restartDelayMs?: number | undefined;
  readonly sessionKey?: string | undefined;
  readonly replyTo?: ChatAddress | undefined;
  readonly note?: string | undefined;
  /** On whose word; what the session does afterwards acts on it. */
  readonly authority?: Authority | undefined;
  /** Each step as it begins. */
  progress?(text: string): void;
}

export interface UpdateService {
  /** Never rejects for what git, npm or the build say. New code is taken up by a restart, and only new code. */
  run(request: UpdateRequest): Promise<UpdateReport>;
  /** What was found within the last minute is answered again unless `refresh` is set. */
  status(options: { readonly refresh: boolean }): Promise<UpdateStatus>;
}
