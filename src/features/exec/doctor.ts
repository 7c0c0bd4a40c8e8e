/** Doctor checks of sandboxes: whether bubblewrap or Docker works, and whether the configuration needs one. */
import { findBubblewrap } from './platform/bubblewrap.ts';
import type { AgentSandboxConfig, SandboxConfig } from './config.ts';
import { findProgram } from '../../platform/find-program.ts';
import { type Check, fail, ok, type Patient, warn } from '../../cli/doctor/check.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

/** As much of the configuration as is looked at. */
interface Config {
  readonly agents: {
    readonly defaults: { readonly sandbox: SandboxConfig };
    readonly list: readonly { readonly sandbox?: AgentSandboxConfig }[];
  };
}

export const checks: readonly Check[] = [
  {
    name: 'sandbox',
    run: async ({ config, env }) => {
      const path = env.get('PATH');
      const found = await findBubblewrap({ path });
      if (!('problem' in found))
        return ok(
          `bubblewrap ${found.version} ` +
            `works${wanted(config) ? '' : '; no session is sandboxed (agents.defaults.sandbox.mode)'}`,
        );
      const docker =
        (await findProgram('docker', path)) === undefined
          ? ''
          : ` Docker is installed; \`${OWN_COMMAND} sandbox explain\` shows whether it works.`;
      if (!wanted(config)) return ok(`not available and not required. ${found.problem}${docker}`);
      return docker
        ? warn(`${found.problem}${docker}`, 'Sandboxed commands use Docker unless backend is "bwrap".')
        : fail(found.problem, 'Until this is fixed, commands of sandboxed sessions do not run.');
    },
  },
];

function wanted({ config }: Patient['config']): boolean {
  const { defaults, list } = (config as Config).agents;
  return [defaults.sandbox.mode, ...list.map((agent) => agent.sandbox?.mode)].some(
    (mode) => mode !== undefined && mode !== 'off',
  );
}
