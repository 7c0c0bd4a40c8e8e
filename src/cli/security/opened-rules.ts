/** Audit rules about access beyond one conversation, opened by settings. */
import { ACCESS_TABLE } from '../../core/access-table.ts';
import { type Rule, when } from './finding.ts';

const opened: Rule = ({ config: { access } }) =>
  access.open.map((opening) => ({
    level: opening === 'prompt-files' ? 'critical' : 'warn',
    path: 'access.open',
    problem: `"${opening}" is open: everybody who may write to an agent may also, outside their own conversation, ${ACCESS_TABLE.filter(
      (row) => row.opening === opening,
    )
      .map(({ means }) => means)
      .join('; ')}.`,
    fix: `Remove "${opening}" from access.open.`,
  }));

const messages: Rule = ({
  config: {
    tools: { message },
  },
}) => [
  ...when(message.allowCrossContextSend, {
    level: 'critical',
    path: 'tools.message.allowCrossContextSend',
    problem: 'Every turn may write to every chat of every channel, whoever started it.',
    fix: 'Remove it, or set it to false.',
  }),
  ...when(message.crossContext.allowAcrossProviders, {
    level: 'info',
    path: 'tools.message.crossContext.allowAcrossProviders',
    problem: 'What the owner asks for on one channel may be sent on another.',
    fix: 'Set it to false where that is not needed.',
  }),
];

const sessions: Rule = ({ config: { tools } }) => [
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
];

const files: Rule = ({
  config: {
    tools: { fs },
  },
}) =>
  when(!fs.workspaceOnly, {
    level: 'warn',
    path: 'tools.fs.workspaceOnly',
    problem: "Without a sandbox, the file tools can access every file of this user except the gateway's own.",
    fix: 'Remove it, or set it to true.',
  });

export const openedRules: readonly Rule[] = [opened, messages, sessions, files];
