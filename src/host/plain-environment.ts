/**
 * The tool environment where no feature gives one: every tool works in the agent's own folder, on the machine itself,
 * and
 * there are no commands. Where the configuration asks for a box there is no place at all.
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
    const mode = agents.entry(agentId)?.sandbox?.mode ?? config.current().agents.defaults.sandbox.mode;
    if (mode !== 'off')
      throw new AppError('unsupported', `The configuration asks for a sandbox ("${mode}"), and this gateway has none.`);
    const workspace = expandPath(agents.resolve(agentId).workspace, machine.env.home);
    return { agentWorkspace: workspace, workspace, shownAs: workspace, sandbox: undefined };
  },
  shellOf: () => undefined,
  elevationOf: () => ({ allowed: false, message: 'This gateway runs no commands.' }),
  approvals: {
    list: () => [],
    resolve(id) {
      throw new AppError('not_found', `No approval ${head(id, 64)} waits for an answer.`);
    },
  },
});
