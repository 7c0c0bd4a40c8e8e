/** Audit rules about commands: what they may do, for whom, and outside which sandbox. */
import { type Rule, when } from '../../cli/security/finding.ts';
import { namesInList } from '../../config/lint-names.ts';
import { execConfiguration } from './configuration.ts';

const commands: Rule = ({ config }) => {
  const {
    tools: { exec, elevated },
    agents,
  } = execConfiguration(config);
  return [
    ...when(exec.security === 'full', {
      level: 'critical',
      path: 'tools.exec.security',
      problem:
        exec.ask === 'always'
          ? 'Every command can run after an approval.'
          : 'Every command runs without approval, whoever caused it.',
      fix: 'Set it to "allowlist", and set agents.defaults.sandbox.mode to "all".',
    }),
    ...when(exec.security === 'allowlist' && exec.ask === 'off', {
      level: 'info',
      path: 'tools.exec.ask',
      problem: 'Commands outside the allowlist are denied without asking.',
      fix: 'Set it to "on-miss" to be asked.',
    }),
    ...Object.entries(elevated.allowFrom)
      .filter(([, ids]) => elevated.enabled && ids.some((id) => id.trim() === '*'))
      .map(([channel]) => ({
        level: 'critical' as const,
        path: `tools.elevated.allowFrom.${channel}`,
        problem: `Everybody who may write on ${channel} may take commands out of the sandbox.`,
        fix: 'List sender ids in place of "*".',
      })),
    ...when(agents.defaults.elevatedDefault === 'full', {
      level: 'warn',
      path: 'agents.defaults.elevatedDefault',
      problem: 'Commands of everybody tools.elevated admits run outside the sandbox and without asking.',
      fix: 'Set it to "off" or "ask".',
    }),
    ...when(exec.passEnv.length > 0, {
      level: 'warn',
      path: 'tools.exec.passEnv',
      problem: `Commands receive variables that look like secrets: ${exec.passEnv.join(', ')}.`,
      fix: 'List only variables the commands need.',
    }),
  ];
};

const boxes: Rule = ({ config }) => {
  const { sandbox } = execConfiguration(config).agents.defaults;
  return [
    ...when(sandbox.sessionToolsVisibility === 'all', {
      level: 'warn',
      path: 'agents.defaults.sandbox.sessionToolsVisibility',
      problem: 'Sandboxed sessions can see sessions outside the sandbox.',
      fix: 'Set it to "spawned".',
    }),
    ...when(sandbox.mode !== 'off' && sandbox.network, {
      level: 'warn',
      path: 'agents.defaults.sandbox.network',
      problem: 'Sandboxed commands can access the network, including services on this machine.',
      fix: 'Set it to false where it is not needed.',
    }),
    ...when(sandbox.mode !== 'off' && sandbox.scope === 'shared', {
      level: 'warn',
      path: 'agents.defaults.sandbox.scope',
      problem: '"shared": all agents and people work in one sandbox folder and see each other\'s files.',
      fix: 'Set it to "session".',
    }),
    ...when(sandbox.mode !== 'off' && sandbox.workspaceAccess === 'rw', {
      level: 'info',
      path: 'agents.defaults.sandbox.workspaceAccess',
      problem: '"rw": sandboxed commands change the files of the agent\'s workspace; prompt files stay as they are.',
      fix: 'Set it to "ro" or "none" where that is not needed.',
    }),
  ];
};

const user: Rule = ({ config, asRoot }) => {
  const { defaults, list } = execConfiguration(config).agents;
  return when(
    asRoot &&
      [defaults.sandbox, ...list.map((agent) => agent.sandbox)].some(
        (sandbox) => (sandbox?.mode ?? defaults.sandbox.mode) !== 'all',
      ),
    {
      level: 'warn',
      path: 'the user',
      problem: 'This user is root: commands outside a sandbox run as root too.',
      fix:
        'Run the gateway as its own user, or set agents.defaults.sandbox.mode to "all"; sandboxed commands ' +
        'never run as root.',
    },
  );
};

/** Lists of people that hold names, which anybody can give themselves. */
const names: Rule = ({ config, accounts }) => {
  const { tools } = execConfiguration(config);
  return [...new Set(accounts.map(({ plugin }) => plugin))]
    .flatMap((plugin) => [
      ...namesInList(tools.exec.approvers[plugin.id] ?? [], plugin, `tools.exec.approvers.${plugin.id}`),
      ...namesInList(tools.elevated.allowFrom[plugin.id] ?? [], plugin, `tools.elevated.allowFrom.${plugin.id}`),
    ])
    .map(({ path, problem, fix }) => ({ level: 'warn', path, problem: `It ${problem}.`, fix }));
};

export const rules: readonly Rule[] = [commands, boxes, user, names];
