/** The specification of a process: argv, environment, limits, owner. */
import type { Authority } from '../../../core/authority.ts';
import type { ChatAddress } from '../../../core/message.ts';
import type { SessionKey } from '../../../core/session-key.ts';

export interface ProcessOwner {
  readonly agentId: string;
  readonly sessionKey: SessionKey;
  /** Where news of its end go. */
  readonly replyTo: ChatAddress;
  readonly turnId: string;
  readonly callId: string;
  /** Its agent was told that it would hear how this ends, whatever it is told of others. */
  readonly promised?: true;
  /** On whose word it was started; news of its end act on it. */
  readonly authority: Authority;
}

export interface ProcessSpec {
  readonly owner: ProcessOwner;
  /** As the person reads it. */
  readonly command: string;
  /** What is really started; `argv[0]` is an absolute path. */
  readonly argv: readonly [string, ...string[]];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute, exists. */
  readonly cwd: string;
  /** What `ProcessView.cwd` shows when it differs: the folder inside the sandbox. */
  readonly shownCwd?: string;
  readonly host: 'gateway' | 'sandbox';
  readonly pty: boolean;
  /** Milliseconds; 0: never. */
  readonly timeoutMs: number;
  readonly spoolMaxBytes: number;
  /** Looks in from time to time while it runs; a sentence ends it (a limit of the sandbox was passed). */
  readonly guard?: (pid: number) => Promise<string | undefined>;
  /** Asked when it ended by itself: a sentence when a limit of the sandbox had ended it before `guard` looked. */
  readonly lastWord?: () => Promise<string | undefined>;
  /** When it ended, however it ended. */
  readonly onEnd?: () => Promise<void>;
}
