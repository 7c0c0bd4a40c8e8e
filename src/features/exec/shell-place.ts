/** For whom commands run, and the dependencies to run them. */
import type { Opening } from '../../core/access-table.ts';
import type { ApprovalRequest } from '../../core/approval.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ApprovalsFile } from './approvals/approvals-file.ts';
import type { Pending } from './approvals/pending.ts';
import type { Elevation } from './elevated.ts';
import type { ExecSettings } from './exec-settings.ts';
import type { ProcessRegistry } from './processes/create-processes.ts';
import type { ProcessOwner } from './processes/process-spec.ts';
import type { Sandboxes } from './sandbox/create-sandboxes.ts';
import type { SandboxSetting } from './sandbox/sandbox-setting.ts';

export interface ShellDeps {
  readonly registry: ProcessRegistry;
  readonly sandboxes: Sandboxes;
  readonly file: ApprovalsFile;
  readonly pending: Pending;
  readonly clock: Clock;
  readonly home: string;
  /** The gateway's environment. */
  readonly vars: Readonly<Record<string, string>>;
  loginPath(): Promise<string | undefined>;
  announce(request: ApprovalRequest, owner: ProcessOwner): void;
  /**
   * A command waits for a person while its conversation goes on; resolves once a later run of the gateway would know.
   */
  waits(request: ApprovalRequest, owner: ProcessOwner): Promise<void>;
  /** What came of it: a sentence for its agent, or nothing where it runs and its end is told. Never rejects. */
  waited(request: ApprovalRequest, owner: ProcessOwner, came: string | undefined): Promise<void>;
}

export interface ShellPlace {
  readonly owner: ProcessOwner;
  readonly settings: ExecSettings;
  /** The agent's folder on this machine, absolute. */
  readonly workspace: string;
  /** Folders harmless programs may read from, besides the workspace. */
  readonly readableRoots: readonly string[];
  /** Its file tools are not kept in the workspace (`tools.fs.workspaceOnly`). */
  readonly writesEverywhere: boolean;
  /** What they may not, wherever it lies. */
  readonly deniedPaths: readonly string[];
  /** What a command in a box may read and not change, absolute. */
  readonly readOnlyPaths: readonly string[];
  readonly sandbox: SandboxSetting | undefined;
  /** What `elevated` would mean for the people this turn comes from. */
  elevation(isRequested: boolean | undefined): Elevation;
  /** What `access.open` lists. */
  readonly open: readonly Opening[];
  /** False: the agent has no tool to look after background work, so commands stay in the foreground. */
  readonly mayBackground: boolean;
  /** The conversation goes on while a person is asked; false: whoever called waits for this turn's answer alone. */
  readonly mayWait: boolean;
}
