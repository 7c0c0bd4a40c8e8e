/** Runs one program from an argument list, in a process group of its own, with bounded time and output. */

export interface ExecRequest {
  /** A name looked for on `PATH` of `env`, or a path. Never a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly timeoutMs: number;
  /** Bytes of standard output; standard error keeps its last 8 KiB. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

/** How it ended. In every case but `exited` the whole process group was killed; in that one whatever it left behind was. */
export type ExecResult = {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly ms: number;
} & (
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signalName: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too_much_output' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not_started'; readonly reason: string }
);
