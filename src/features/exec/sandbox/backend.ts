/** The interface of sandbox backends: bubblewrap without a daemon, or Docker. */
import type { SandboxedCommand, SandboxExplained, SandboxSetting } from './sandbox-setting.ts';

/** Where the workspace is, seen from inside. */
export const INSIDE = '/workspace';
/** Empty at the start of every command and gone with it: what one command plants in a home, the next would run. */
export const INSIDE_HOME = '/home/sandbox';

export interface BoxedRequest {
  readonly setting: SandboxSetting;
  /** As the shell reads it. */
  readonly shellCommand: string;
  /** Names and values that are fit to be variables; `PATH` is searched before the sandbox's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Inside, exists. */
  readonly cwd: string;
  readonly pty: boolean;
  /** Absolute on this machine; what of it is in the workspace stays as it is. */
  readonly readOnly?: readonly string[];
}

export interface Backend {
  readonly name: 'bwrap' | 'docker';
  /**
   * Tries it once; a backend that works is not tried again, one that does not is, so that mending it needs no restart.
   */
  probe(): Promise<{ readonly version: string } | { readonly problem: string }>;
  /** `probe` has answered with a version. */
  wrap(request: BoxedRequest): Promise<Omit<SandboxedCommand, 'warnings' | 'shownCwd'> | { readonly problem: string }>;
  mounts(setting: SandboxSetting): SandboxExplained['mounts'];
  /** What a person should know about how the limits hold, and what is not there. */
  notes(setting: SandboxSetting): readonly string[];
}
