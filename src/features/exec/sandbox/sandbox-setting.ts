/** The merged sandbox settings of one agent and session. */
import type { SandboxConfig } from '../config.ts';

export interface SandboxSetting {
  readonly backend: 'auto' | 'bwrap' | 'docker';
  readonly scope: SandboxConfig['scope'];
  /** `session:<key>`, `agent:<id>` or `shared`. */
  readonly scopeKey: string;
  readonly workspaceAccess: SandboxConfig['workspaceAccess'];
  /** The agent's workspace on this machine, absolute. */
  readonly agentWorkspace: string;
  /**
   * The folder tools of this conversation work in, on this machine: the agent's workspace, or one of the sandbox's own.
   */
  readonly workspace: string;
  readonly network: boolean;
  readonly sessions: SandboxConfig['sessionToolsVisibility'];
  readonly limits: SandboxConfig['limits'];
  readonly env: Readonly<Record<string, string>>;
  readonly docker: SandboxConfig['docker'];
}

/** A command as the sandbox would run it. */
export interface SandboxedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** On this machine, for the process that starts the sandbox. */
  readonly cwd: string;
  /** As the command sees it. */
  readonly shownCwd: string;
  readonly warnings: readonly string[];
  readonly guard?: (pid: number) => Promise<string | undefined>;
  /** Asked when it ended by itself: a sentence when a limit of the sandbox had ended it before `guard` looked. */
  readonly lastWord?: () => Promise<string | undefined>;
  readonly onEnd?: () => Promise<void>;
}

/** What somebody wants to know about it (`clawdbot sandbox explain`). */
export interface SandboxExplained {
  readonly sandboxed: boolean;
  /** Which setting says so, e.g. `agents.defaults.sandbox.mode = "non-main"; this is the main session`. */
  readonly because: string;
  readonly setting?: SandboxSetting;
  /** The backend that would be used, with its version; or why there is none. */
  readonly backend?: { readonly name: 'bwrap' | 'docker'; readonly version: string } | { readonly problem: string };
  /** What the command sees: folder and how. */
  readonly mounts: readonly { readonly path: string; readonly access: 'ro' | 'rw' | 'empty' }[];
  /** How the limits hold, and what is not there. */
  readonly notes: readonly string[];
}
