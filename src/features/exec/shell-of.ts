/** The shell of a turn: its limits, settings and owner. */
import type { Shell } from '../../core/shell.ts';
import type { HostAgents } from '../../host/host.ts';
import type { ShellBounds, ToolRequester } from '../../host/tool-environment.ts';
import { execAgent, type ExecConfiguration } from './configuration.ts';
import type { Elevation } from './elevated.ts';
import { execSettings } from './exec-settings.ts';
import type { ExecParts } from './exec-parts.ts';
import { lazyShell } from './lazy-shell.ts';
import type { ExecPlace } from './place.ts';

export interface ShellOfDeps {
  parts(): Promise<ExecParts>;
  config(): ExecConfiguration;
  readonly agents: Pick<HostAgents, 'entry'>;
  elevation(whose: ToolRequester, isRequested: boolean | undefined): Elevation;
  /** The conversation goes on while a person is asked. */
  mayWait(turn: ToolRequester['turn']): Promise<boolean>;
}

/** The settings are those of the moment it is made; what it is made of is loaded by the first command. */
export const createShellOf =
  ({ parts, config, agents, elevation, mayWait }: ShellOfDeps) =>
  (bounds: ShellBounds, callId: string): Shell => {
    const { turn, entry, readableRoots, writesEverywhere, deniedPaths, readOnlyPaths, mayBackground } = bounds;
    // Handed back as `place` gave it.
    const { workspace, sandbox } = bounds.place as ExecPlace;
    const { agentId, sessionKey, replyTo } = turn.route;
    const { tools, access } = config();
    const own = execAgent(agents, agentId)?.tools?.exec;
    return lazyShell(async () =>
      (await parts()).shell({
        owner: { agentId, sessionKey, replyTo, turnId: turn.id, callId, authority: turn.authority },
        settings: execSettings(tools.exec, own, { ...entry?.exec, ...turn.options?.exec }),
        workspace,
        sandbox,
        readableRoots,
        writesEverywhere,
        deniedPaths,
        readOnlyPaths,
        mayBackground,
        open: access.open,
        mayWait: await mayWait(turn),
        elevation: (isRequested) => elevation(bounds, isRequested),
      }),
    );
  };
