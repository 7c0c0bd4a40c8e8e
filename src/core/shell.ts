/**
 * The interface through which tools run commands: request, decision, run and observation. Tools get it in their
 * context.
 */

import type { ApprovalRequest } from './approval.ts';

/** One command as the model asked for it; nothing in it is trusted. */
export interface ShellRequest {
  readonly command: string;
  /** Relative to the workspace or absolute. */
  readonly workdir?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds in the foreground, 10–120 000; then it goes on in the background. */
  readonly yieldMs?: number | undefined;
  /** In the background at once; outranks `yieldMs`. */
  readonly background?: boolean | undefined;
  /** Seconds after which it is killed, also in the background; 0 or less: never. Absent: the configured default. */
  readonly timeoutSeconds?: number | undefined;
  readonly pty?: boolean | undefined;
  readonly elevated?: boolean | undefined;
  /** These can only make the configured ones stricter. Unknown values are treated as absent. */
  readonly host?: string | undefined;
  readonly security?: string | undefined;
  readonly ask?: string | undefined;
  readonly node?: string | undefined;
}

/** Why a process ended; `lost`: it ended while the gateway was not running. */
export type EndReason = 'exit' | 'signal' | 'timeout' | 'aborted' | 'killed' | 'lost';

/** A process as anybody may see it. */
export interface ProcessView {
  /** Two words, e.g. `calm-harbor`; opaque. */
  readonly sessionId: string;
  readonly status: 'running' | 'completed' | 'failed';
  readonly pid?: number;
  readonly command: string;
  /** Verb and first argument, at most 48 characters. */
  readonly name: string;
  /** Absolute; inside a sandbox as the command sees it. */
  readonly cwd: string;
  readonly host: 'gateway' | 'sandbox';
  readonly pty: boolean;
  /** The conversation it belongs to. */
  readonly sessionKey: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly runtimeMs: number;
  readonly exitCode?: number;
  /** `SIGKILL` …; also when the shell reported it as 128 + n. */
  readonly exitSignal?: string;
  /** `lost`: it ended while no gateway was there and left no code. */
  readonly endReason?: EndReason;
  /** The timeout it had, seconds. */
  readonly timeoutSeconds?: number;
  /** The last 2 000 characters, without control sequences. */
  readonly tail: string;
  /** Bytes it wrote altogether. */
  readonly outputBytes: number;
  /** Some of the output is in no file any more. */
  readonly truncated: boolean;
  readonly stdinWritable: boolean;
  /** Milliseconds since the last output. */
  readonly idleMs: number;
  /** Processes it left behind when its shell ended; they are part of it. */
  readonly leftBehind?: readonly { readonly pid: number; readonly name: string }[];
}

/** How a request came out. */
export type ShellOutcome =
  /**
   * `output`: both streams in order, cleaned, head and tail when it is long; `cut` characters of it are left out;
   * `kept`: the log of the process has them.
   */
  | {
      readonly kind: 'ended';
      readonly view: ProcessView;
      readonly output: string;
      readonly cut: number;
      readonly kept?: boolean;
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'running'; readonly view: ProcessView; readonly warnings: readonly string[] }
  /** A person was asked and has not answered; the session is notified of the outcome. */
  | { readonly kind: 'waiting'; readonly request: ApprovalRequest }
  /** Commands of this conversation run on a node: nothing ran here, and the tool has the gateway run this there. */
  | { readonly kind: 'elsewhere'; readonly command: NodeCommandLine }
  /** Nothing ran. `code` is stable, `message` is for the model. */
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly message: string };

/** Why a command was not run. */
export type RefusalCode =
  | 'invalid'
  | 'denied'
  | 'user-denied'
  | 'approval-timeout'
  | 'approval-unavailable'
  | 'changed'
  | 'elevated-unavailable'
  | 'sandbox-unavailable'
  | 'not-started'
  | 'aborted';

/** A command line for a node. */
export interface NodeCommandLine {
  /** Name or id; absent: the only connected node that runs programs. */
  readonly node?: string | undefined;
  readonly line: string;
  /** On the node. */
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly commandTimeoutMs: number;
  /** As the call asked; they can only make the settings stricter. */
  readonly security?: string | undefined;
  readonly ask?: string | undefined;
}

/** A command that another machine would run, as it would run there. */
export interface ElsewhereCommand {
  /** The words, as they will be run. */
  readonly argv: readonly string[];
  /** The same as one line, for people. */
  readonly command: string;
  /** On that machine. */
  readonly cwd: string;
  /** Variables the model set. */
  readonly env: Readonly<Record<string, string>>;
  /** In words: `the node Kitchen`. */
  readonly where: string;
  /** As the call asked; they can only make the settings stricter. */
  readonly stricter?: { readonly security?: string | undefined; readonly ask?: string | undefined } | undefined;
}

/** Whether it may run there. */
export type ElsewherePermit =
  | { readonly kind: 'allowed'; readonly approved: boolean }
  | Extract<ShellOutcome, { readonly kind: 'refused' }>;

/** How the requester of a command follows and stops it. */
export interface ShellWatch {
  /** Kills it while it is in the foreground; in the background it goes on. */
  readonly signal: AbortSignal;
  /** The tail of its output so far, or what it waits for; replaces the previous report. */
  progress(text: string): void;
}

/** What one turn may do with commands; everything it sees belongs to its own agent. */
export interface Shell {
  run(request: ShellRequest, watch: ShellWatch): Promise<ShellOutcome>;
  readonly processes: Processes;
}

/** Why nothing could be done with a process. */
export type ProcessTrouble = 'unknown' | 'ended' | 'running' | 'foreground' | 'closed';

/** A part of what a process wrote, and where it lies in the whole. */
export interface ProcessLog {
  readonly view: ProcessView;
  readonly output: string;
  /** Lines and characters of all that is kept. */
  readonly totalLines: number;
  readonly totalChars: number;
  /** 0-based, of the first line in `output`. */
  readonly firstLine: number;
  readonly lines: number;
  /** Bytes that were dropped between head and tail of the spool. */
  readonly droppedBytes: number;
}

/** The background processes of one agent. */
export interface Processes {
  /** Newest first; running ones and those that ended recently. */
  list(): Promise<readonly ProcessView[]>;
  /**
   * What was not delivered yet; once it ended and all is delivered, the last poll says how. Waits up to `waitMs` for
   * news.
   */
  poll(
    id: string,
    options: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<{ readonly view: ProcessView; readonly output: string; readonly cut: number } | ProcessTrouble>;
  /** Neither: the last 200 lines; `limit` alone: the last n; `offset`: from there. */
  log(
    id: string,
    window: { readonly offset?: number | undefined; readonly limit?: number | undefined },
  ): Promise<ProcessLog | ProcessTrouble>;
  /**
   * `eof` closes its input behind the data. Resolves with the bytes written: none, and no end, when too much waits to
   * be read already.
   */
  write(id: string, data: string | Uint8Array, options?: { readonly eof?: boolean }): Promise<number | ProcessTrouble>;
  /** Ends the whole tree. */
  kill(id: string): Promise<ProcessView | ProcessTrouble>;
  /** Forgets an ended one. */
  clear(id: string): Promise<'cleared' | ProcessTrouble>;
  /** Ends it if need be, then forgets it. */
  remove(id: string): Promise<'removed' | ProcessTrouble>;
}
