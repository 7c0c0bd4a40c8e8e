/** The result of analyzing a command line: the programs it would start, and whether all of them are certain. */
import type { ApprovalStep } from '../../../core/approval.ts';

/** One program the command line starts, for certain and with these very words. */
export interface Segment {
  /** Quotes resolved, nothing left to expand. `argv[0]` is what was written, `path` what it is. */
  readonly argv: readonly string[];
  /** Absolute, symbolic links resolved; absent for a shell builtin. */
  readonly path?: string;
  /** A builtin of the shell that cannot start programs or write files (`cd`, `true`, `echo` …). */
  readonly builtin: boolean;
  /** Programs that run this one for it (`env`, `nice`, `timeout`), outermost first; each must be allowed too. */
  readonly wrappers: readonly { readonly argv: readonly string[]; readonly path: string }[];
  /** Proven to only read what is piped into it or to be harmless; needs no permission. */
  readonly harmless: boolean;
  /**
   * The program runs code it is given (`sh -c`, `node -e`, `find -exec`): a permission for its path would be one for
   * anything.
   */
  readonly interpreter: boolean;
  /** Another command of the line writes what it reads. */
  readonly fed?: true;
  /** The folder it runs in, absolute and real; absent: only running the commands before it would tell. */
  readonly cwd?: string;
  /** Why it is not harmless, for people. */
  readonly why?: string;
}

export type Analysis =
  /**
   * `plan` is the same command with every word quoted and every program by its real path: run it in place of the text,
   * and what was judged is what runs.
   */
  | { readonly proven: true; readonly segments: readonly Segment[]; readonly plan: string }
  /** `why`: one sentence on each thing only running it would tell. `steps` show as much as could be read. */
  | {
      readonly proven: false;
      readonly why: readonly string[];
      readonly steps: readonly ApprovalStep[];
      /** It begins with a program that is not there, and could only fail: one sentence. */
      readonly missing?: string;
    };

/** What the analysis asks about the machine; each answer is about the environment the command will have. */
export interface AnalysisContext {
  /** Absolute real path of the folder it starts in. */
  readonly cwd: string;
  /** Folders files may be named in by harmless programs, absolute real paths. */
  readonly readableRoots: readonly string[];
  /** Absolute; nothing in them is read without asking, wherever they lie. */
  readonly closedPaths: readonly string[];
  readonly safeBins: readonly string[];
  /** Of the environment it will have, absolute; undefined: it says none. */
  readonly home: string | undefined;
  /** The file a bare name or path means, by `PATH` and `cwd`, links resolved; undefined: there is none. */
  locate(name: string): Promise<string | undefined>;
  /**
   * The same, links not followed: the name a program that is many programs (`busybox`, `rustup`) has to be started by.
   */
  find(name: string): Promise<string | undefined>;
  /** Whether this file lies in a folder only the system's administrator can write. */
  trusted(path: string): Promise<boolean>;
  /** What lies in a folder, links as `other`; undefined: it cannot be listed. */
  entries(
    folder: string,
  ): Promise<readonly { readonly name: string; readonly kind: 'file' | 'directory' | 'other' }[] | undefined>;
  /** The text of a file; undefined: there is none, or it is longer. */
  text(path: string, maxBytes: number): Promise<string | undefined>;
  /**
   * The real path behind a path, and what it is; undefined: nothing there. What is another thing for each process that
   * looks (`/proc/self/cwd`) is `other`.
   */
  inspect(path: string): Promise<{ readonly real: string; readonly kind: 'file' | 'directory' | 'other' } | undefined>;
}
