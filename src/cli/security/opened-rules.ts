/**
 * Rules about what reaches beyond one conversation, and about commands: the table of `docs/concepts/trust.md`, opened
 * by settings.
 */
import { ACCESS_TABLE } from '../../core/access-table.ts';
import { type Rule, when } from './finding.ts';

const opened: Rule = ({ config: { access } }) =>
  access.open.map((opening) => ({
    level: opening === 'prompt-files' ? 'critical' : 'warn',
    path: 'access.open',
    problem: `"${opening}" is open: everybody who may write to an agent may, beyond their own conversation: ${ACCESS_TABLE.filter(
      (row) => row.opening === opening,
    )
      .map(({ means }) => means)
      .join('; ')}.`,
    fix: `Take "${opening}" out of access.open.`,
  }));

const messages: Rule = ({
  config: {
    tools: { message },
  },
}) => [
  ...when(message.allowCrossContextSend, {
    level: 'critical',
    path: 'tools.message.allowCrossContextSend',
    problem: 'Every turn may write to every chat of every channel, whoever began it.',
    fix: 'Remove it, or set it to false.',
  }),
  ...when(message.crossContext.allowAcrossProviders, {
    level: 'info',
    path: 'tools.message.crossContext.allowAcrossProviders',
    problem: 'What the owner asks for on one channel may be sent on another.',
    fix: 'Set it to false where that is not needed.',
  }),
];

const sessions: Rule = ({ config: { tools, agents } }) => [
  ...when(tools.sessions.visibility === 'agent' || tools.sessions.visibility === 'all', {
    level: 'warn',
    path: 'tools.sessions.visibility',
    problem: `"${tools.sessions.visibility}": people in groups can have the agent read the owner's other conversations.`,
    fix: 'Remove it: then people reach what they started, and the owner everything.',
  }),
  ...when(tools.agentToAgent.enabled && tools.agentToAgent.allow.length === 0, {
    level: 'warn',
    path: 'tools.agentToAgent.allow',
    problem: 'Every agent may read and write to the sessions of every other.',
    fix: 'List the agents that are to talk to each other.',
  }),
  ...when(agents.defaults.sandbox.sessionToolsVisibility === 'all', {
    level: 'warn',
    path: 'agents.defaults.sandbox.sessionToolsVisibility',
    problem: 'Sandboxed sessions see those outside their box.',
    fix: 'Set it to "spawned".',
  }),
];

const commands: Rule = ({
  config: {
    tools: { exec, elevated, fs },
    agents,
  },
}) => [
  ...when(exec.security === 'full', {
    level: 'critical',
    path: 'tools.exec.security',
    problem:
      exec.ask === 'always'
        ? 'Every command runs once a person said yes.'
        : "Every command runs, whoever's words made the agent want it; nobody is asked.",
    fix: 'Set it to "allowlist", and box conversations in: agents.defaults.sandbox.mode "all".',
  }),
  ...when(exec.security === 'allowlist' && exec.ask === 'off', {
    level: 'info',
    path: 'tools.exec.ask',
    problem: 'What the allowlist does not cover is refused without asking.',
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
  ...when(!fs.workspaceOnly, {
    level: 'warn',
    path: 'tools.fs.workspaceOnly',
    problem: "The file tools of sessions without a sandbox reach every file of this user but the gateway's own.",
    fix: 'Remove it, or set it to true.',
  }),
  ...when(exec.passEnv.length > 0, {
    level: 'warn',
    path: 'tools.exec.passEnv',
    problem: `Commands get variables that look like secrets: ${exec.passEnv.join(', ')}.`,
    fix: 'List only what the commands cannot do without.',
  }),
];

const boxes: Rule = ({
  config: {
    agents: {
      defaults: { sandbox },
    },
  },
}) => [
  ...when(sandbox.mode !== 'off' && sandbox.network, {
    level: 'warn',
    path: 'agents.defaults.sandbox.network',
    problem: "Sandboxed commands reach the network, this machine's own services among it.",
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

const user: Rule = ({
  config: {
    agents: { defaults, list },
  },
  asRoot,
}) =>
  when(
    asRoot &&
      [defaults.sandbox, ...list.map((agent) => agent.sandbox)].some(
        (sandbox) => (sandbox?.mode ?? defaults.sandbox.mode) !== 'all',
      ),
    {
      level: 'warn',
      path: 'the user',
      problem: 'This user is root: when the gateway runs as root, so does every command outside a sandbox.',
      fix: 'Give the gateway a user of its own, or set agents.defaults.sandbox.mode to "all": what is in a sandbox is never root.',
    },
  );

export const openedRules: readonly Rule[] = [opened, messages, sessions, commands, boxes, user];
