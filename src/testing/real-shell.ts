/** A shell that runs real commands without a gateway: everything is allowed, in a temporary folder. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execSchema } from '../features/exec/config.ts';
import { silentLog } from '../core/log.ts';
import type { SessionKey } from '../core/session-key.ts';
import type { Shell } from '../core/shell.ts';
import { createApprovalsFile } from '../features/exec/approvals/approvals-file.ts';
import { createPending, type Pending } from '../features/exec/approvals/pending.ts';
import type { Elevation } from '../features/exec/elevated.ts';
import { execSettings, type ExecSettings } from '../features/exec/exec-settings.ts';
import { createProcesses, type ProcessRegistry } from '../features/exec/processes/create-processes.ts';
import { createSandboxes } from '../features/exec/sandbox/create-sandboxes.ts';
import type { SandboxSetting } from '../features/exec/sandbox/sandbox-setting.ts';
import { createShell } from '../features/exec/shell.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import { sha256Hex } from '../platform/ids.ts';
import { marksOf, processTable } from '../features/exec/platform/process-table.ts';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';
import { surfaceAuthority } from './sample-authority.ts';

export interface RealShellOptions {
  readonly mayBackground?: boolean;
  readonly mayWait?: boolean;
  /** In place of the settings of the whole. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly elevation?: Elevation;
  /** Boxed in; absent: on the machine. */
  readonly sandbox?: SandboxSetting;
}

const OFF: Elevation = { allowed: true, level: 'off' };

export interface RealShell extends AsyncDisposable {
  /** Of one agent. */
  shellOf(agentId: string, options?: RealShellOptions): Shell;
  readonly registry: ProcessRegistry;
  /** What waits for a person. */
  readonly pending: Pending;
  /** Where commands run unless told otherwise, absolute. */
  readonly workspace: string;
  /** `exec-approvals.json`, absolute. */
  readonly approvalsPath: string;
}

/** `askClock`: by which questions run out of time; `clock`: by which a call stops waiting. */
export async function realShell(
  given: Readonly<Record<string, unknown>> = {},
  { askClock = systemClock, clock = systemClock }: { readonly askClock?: Clock; readonly clock?: Clock } = {},
): Promise<RealShell> {
  const dir = await tempDir('shell');
  const workspace = join(dir.path, 'work');
  const stateDir = join(dir.path, 'state');
  await mkdir(workspace);
  const settingsOf = (more: object = {}): ExecSettings =>
    execSettings(execSchema.parse({ security: 'full', ask: 'off', ...given, ...more }), undefined);
  const settings = settingsOf();
  const approvalsPath = join(stateDir, 'exec-approvals.json');
  const pending = createPending({ clock: askClock, log: silentLog });
  const vars = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: dir.path, SHELL: '/bin/sh' };
  const processes = join(stateDir, 'processes');
  const registry = createProcesses({
    dir: processes,
    clock: systemClock,
    log: silentLog,
    cleanupMs: () => settings.cleanupMs,
    ownerExists: () => true,
    onExit: async () => {},
  });
  const deps = {
    registry,
    vars,
    home: dir.path,
    clock,
    loginPath: async () => undefined,
    announce: () => {},
    waits: async () => {},
    waited: async () => {},
    sandboxes: createSandboxes({ vars, log: silentLog, stateDir }),
    file: createApprovalsFile({ path: approvalsPath, home: dir.path, log: silentLog }),
    pending,
  };
  return {
    registry,
    pending,
    workspace,
    approvalsPath,
    shellOf: (agentId, { mayBackground = true, mayWait = false, settings: own, elevation = OFF, sandbox } = {}) =>
      createShell(
        {
          settings: own ? settingsOf(own) : settings,
          workspace,
          readableRoots: [],
          writesEverywhere: false,
          deniedPaths: [],
          readOnlyPaths: [],
          open: [],
          sandbox,
          mayBackground,
          mayWait,
          owner: {
            agentId,
            sessionKey: `agent:${agentId}:main` as SessionKey,
            replyTo: { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'me' } },
            turnId: 'turn-1',
            callId: 'call-1',
            authority: surfaceAuthority(),
          },
          elevation: () => elevation,
        },
        deps,
      ),
    async [Symbol.asyncDispose]() {
      const all = registry.of(undefined);
      for (const { sessionId } of await registry.list()) await all.remove(sessionId);
      await registry.suspend();
      await until(async () => (await leftOf(processes)).length === 0, 'every process the test started to be gone');
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Names of processes still running that were started from this folder. */
async function leftOf(folder: string): Promise<readonly string[]> {
  const rows = (await processTable()).filter(({ zombie }) => !zombie);
  const marks = await marksOf(rows.map(({ pid }) => pid));
  const realm = sha256Hex(folder).slice(0, 12);
  return rows.flatMap(({ pid, name }) => (marks.get(pid)?.endsWith(`@${realm}`) ? [`${name} (pid ${pid})`] : []));
}
