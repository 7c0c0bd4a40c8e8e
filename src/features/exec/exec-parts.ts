/** The parts of exec with a lifecycle: processes, sandboxes, the approvals file. Created with the first command. */
import type { ApprovalRequest } from '../../core/approval.ts';
import type { Log } from '../../core/log.ts';
import type { ElsewherePermit, Shell } from '../../core/shell.ts';
import { HEARTBEAT_FILE } from '../../core/trigger.ts';
import { createApprovalsFile, type ApprovalsFile } from './approvals/approvals-file.ts';
import type { Pending } from './approvals/pending.ts';
import { createProcesses, type ExitedProcess, type ProcessRegistry } from './processes/create-processes.ts';
import type { ProcessOwner } from './processes/process-spec.ts';
import { createSandboxes, type Sandboxes } from './sandbox/create-sandboxes.ts';
import { createLoginPath } from './shell-program.ts';
import type { ShellPlace } from './shell-place.ts';
import { createShell } from './shell.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';
import { permitElsewhere, type RemoteCommandRequest } from './remote-command.ts';
import { approvalsPath, processFolder } from './place.ts';
import type { WaitingCommands } from './approvals/waiting-commands.ts';

/** For a heartbeat without a file, which looks around; an empty one asks for nothing. */
const AS_WITHOUT_FILE = 'Look whether anything needs your person.\n';

export interface ExecPartsDeps {
  readonly env: Env;
  readonly log: Log;
  readonly clock: Clock;
  readonly pending: Pending;
  cleanupMs(): number;
  ownerExists(owner: ProcessOwner): boolean;
  onExit(ended: ExitedProcess): Promise<void>;
  announce(request: ApprovalRequest, owner: ProcessOwner): void;
  readonly waiting: Pick<WaitingCommands, 'waits' | 'waited'>;
}

export interface ExecParts {
  readonly registry: ProcessRegistry;
  readonly sandboxes: Sandboxes;
  readonly file: ApprovalsFile;
  shell(place: ShellPlace): Shell;
  permitElsewhere(command: RemoteCommandRequest): Promise<ElsewherePermit>;
}

export function createExecParts({ env, log, clock, pending, ...deps }: ExecPartsDeps): ExecParts {
  const registry = createProcesses({
    dir: processFolder(env.stateDir),
    clock,
    log,
    cleanupMs: deps.cleanupMs,
    ownerExists: deps.ownerExists,
    onExit: deps.onExit,
  });
  const sandboxes = createSandboxes({
    vars: env.vars,
    log,
    stateDir: env.stateDir,
    firstWords: { [HEARTBEAT_FILE]: AS_WITHOUT_FILE },
  });
  const file = createApprovalsFile({ path: approvalsPath(env.stateDir), home: env.home, log });
  const shared = {
    registry,
    sandboxes,
    file,
    pending,
    clock,
    home: env.home,
    vars: env.vars,
    loginPath: createLoginPath(env.vars),
    announce: deps.announce,
    ...deps.waiting,
  };
  return {
    registry,
    sandboxes,
    file,
    shell: (place) => createShell(place, shared),
    permitElsewhere: (command) => permitElsewhere(command, shared),
  };
}
