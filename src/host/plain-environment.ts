/**
 * The tool environment if no feature provides one: tools use the agent's folder on this machine, without a shell. Where
 * the configuration requires a sandbox there is no environment.
 */
import { head } from '../core/cut.ts';
import { AppError } from '../core/errors.ts';
import { expandPath } from '../platform/env.ts';
import type { Host } from './host.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** Creates that environment. `place` throws `unsupported` where the configuration asks for a sandbox. */
export const plainEnvironment = ({
  agents,
  config,
  machine,
}: Pick<Host, 'agents' | 'config' | 'machine'>): ToolEnvironment => ({
  place({ agentId }) {
    const mode =
      sandboxRequested(agentId, config.current()) ?? sandboxRequested(agentId, config.store.snapshot().parsed);
    if (mode !== undefined && mode !== 'off')
      throw new AppError(
        'unsupported',
        `The configuration requires a sandbox ("${String(mode)}"), but this gateway has none.`,
      );
    const workspace = expandPath(agents.resolve(agentId).workspace, machine.env.home);
    return { agentWorkspace: workspace, workspace, shownAs: workspace, sandbox: undefined };
  },
  shellOf: () => undefined,
  elevationOf: () => ({ allowed: false, message: 'This gateway cannot run commands.' }),
  permitElsewhere: async () => ({ kind: 'refused', code: 'denied', message: 'This gateway cannot approve commands.' }),
  usualElevation: () => 'off',
  distinguishesSenders: () => false,
  approvals: {
    list: () => [],
    approversOf: () => undefined,
    resolve(id) {
      throw new AppError('not_found', `No pending approval ${head(id, 64)}.`);
    },
  },
});

interface SandboxRequest {
  readonly sandbox?: { readonly mode?: unknown };
}

/**
 * Read from the resolved and the written configuration, because the sandbox settings belong to the feature that
 * provides sandboxes.
 */
function sandboxRequested(agentId: string, config: unknown): unknown {
  const { defaults, list } =
    (config as { agents?: { defaults?: SandboxRequest; list?: unknown } } | undefined)?.agents ?? {};
  const agents: readonly (SandboxRequest & { readonly id?: unknown })[] = Array.isArray(list) ? list : [];
  return agents.find((one) => one?.id === agentId)?.sandbox?.mode ?? defaults?.sandbox?.mode;
}
