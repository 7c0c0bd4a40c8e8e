/** Audit rules about access: channels, the gateway itself, plugins, and the owner. */
import { channelSettingsSchema } from '../../config/channel-config.ts';
import { lintNames, namesInList } from '../../config/lint-names.ts';
import { isExposedBeyondLoopback, shortSecret } from '../../config/secret-length.ts';
import { type AuditFinding, type Rule, when } from './finding.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

const channels: Rule = ({ config, accounts }) =>
  accounts
    .filter(({ plugin }) => plugin.capabilities.deliverable)
    .flatMap(({ plugin: { id, label }, raw, settingsPath: path }): readonly AuditFinding[] => {
      const parsed = channelSettingsSchema.safeParse(raw);
      if (!parsed.success)
        return [
          {
            level: 'warn',
            path,
            problem: `${label} has invalid settings, so all messages are rejected.`,
            fix: `See \`${OWN_COMMAND} config validate\`.`,
          },
        ];
      const { dmPolicy, groupPolicy, allowFrom } = parsed.data;
      const owners =
        config.commands.ownerAllowFrom?.some((entry) => entry.trim().toLowerCase().startsWith(`${id}:`)) ??
        allowFrom.some((entry) => entry.trim() !== '*');
      return [
        ...when(dmPolicy === 'open', {
          level: 'warn',
          path: `${path}.dmPolicy`,
          problem:
            `Everybody on ${label} who matches allowFrom may send direct messages to the agent; "*" matches ` +
            'everybody.',
          fix: 'Set it to "pairing", or list people in allowFrom.',
        }),
        ...when(groupPolicy === 'open', {
          level: 'warn',
          path: `${path}.groupPolicy`,
          problem: `The agent answers in every group on ${label} it is added to.`,
          fix: 'Set it to "allowlist", and list the groups.',
        }),
        ...when(raw['allowBots'] === true, {
          level: 'warn',
          path: `${path}.allowBots`,
          problem: `Bots on ${label} may write to the agent.`,
          fix: 'Remove it.',
        }),
        ...moderating(raw['actions'], path, label),
        ...when(!owners, {
          level: 'info',
          path: config.commands.ownerAllowFrom ? 'commands.ownerAllowFrom' : `${path}.allowFrom`,
          problem:
            `No owner is configured on ${label}: owner actions work only in the Control UI and on the command ` +
            'line.',
          fix: "List the owner's id; /whoami shows it.",
        }),
      ];
    });

/** Actions on people and places, turned on. */
const moderating = (actions: unknown, path: string, label: string): readonly AuditFinding[] =>
  ['moderation', 'roles', 'channels']
    .filter((gate) => (actions as Record<string, unknown> | undefined)?.[gate] === true)
    .map((gate) => ({
      level: 'info',
      path: `${path}.actions.${gate}`,
      problem: `The agent may moderate on ${label} on behalf of people who have that right there.`,
      fix: 'Remove it where it is not needed.',
    }));

const commands: Rule = ({
  config: {
    commands: { useAccessGroups, restart, config, debug },
  },
}) => [
  ...when(!useAccessGroups, {
    level: 'warn',
    path: 'commands.useAccessGroups',
    problem: 'Everybody who may write may use the commands of a chat.',
    fix: 'Remove it, or set it to true.',
  }),
  ...when(restart === true, {
    level: 'warn',
    path: 'commands.restart',
    problem: 'Everybody who may write can make the agent restart the gateway.',
    fix: 'Remove it: then only the owner may.',
  }),
  ...when(config, {
    level: 'info',
    path: 'commands.config',
    problem: 'The owner can change settings from chats; whoever takes over that account can too.',
    fix: 'Set it to false where the Control UI is enough.',
  }),
  ...when(debug, {
    level: 'info',
    path: 'commands.debug',
    problem: 'The owner can override settings from chats.',
    fix: 'Set it to false when you are done.',
  }),
];

const gateway: Rule = ({ config: { gateway: gate } }) => {
  const { bind, auth, controlUi, trustedProxies } = gate;
  const kind = auth.mode === 'password' ? 'password' : 'token';
  const short = shortSecret(kind, auth[kind]);
  return [
    ...when(bind !== 'loopback', {
      level: 'info',
      path: 'gateway.bind',
      problem: `"${bind}": other machines can reach the gateway with its secret.`,
      fix: 'Set it to "loopback" and use a tunnel, or use a long secret.',
    }),
    ...(short
      ? [
          {
            level: isExposedBeyondLoopback(gate) ? 'critical' : 'warn',
            path: short.path,
            problem: `It can be guessed: ${short.problem}.`,
            fix: short.fix,
          } satisfies AuditFinding,
        ]
      : []),
    ...when(controlUi.allowInsecureAuth, {
      level: 'critical',
      path: 'gateway.controlUi.allowInsecureAuth',
      problem: 'The secret may be sent unencrypted, and browsers need no device pairing.',
      fix: 'Remove it, and serve the Control UI over HTTPS or a tunnel.',
    }),
    ...controlUi.allowedOrigins.map(
      (origin): AuditFinding => ({
        level: origin.includes('*') ? 'critical' : 'info',
        path: 'gateway.controlUi.allowedOrigins',
        problem: `Pages of ${origin} may connect to the gateway from your browser.`,
        fix: 'List only pages of yours.',
      }),
    ),
    ...when(trustedProxies.length > 0, {
      level: 'info',
      path: 'gateway.trustedProxies',
      problem: `Client addresses reported by ${trustedProxies.join(', ')} are trusted.`,
      fix: 'List only proxies that set the header themselves.',
    }),
  ];
};

/** What is kept may be read by others: copies, backups, who helps you. */
const log: Rule = ({ config: { logging } }) =>
  when(logging.redactSensitive === 'off', {
    level: 'warn',
    path: 'logging.redactSensitive',
    problem: 'Keys, tokens and passwords are logged in plain text.',
    fix: 'Remove it, or set it to "tools".',
  });

const plugins: Rule = ({ config }) =>
  config.plugins.load.paths.map((path) => ({
    level: 'info',
    path: 'plugins.load.paths',
    problem: `${path} runs with all permissions of the gateway.`,
    fix: 'Load only plugins you trust.',
  }));

const names: Rule = ({
  config: {
    commands: { ownerAllowFrom = [] },
  },
  accounts,
}) => {
  const lists = [...new Set(accounts.map(({ plugin }) => plugin))].flatMap((plugin) => [
    ...namesInList(
      ownerAllowFrom.filter((entry) => entry.trim().toLowerCase().startsWith(`${plugin.id}:`)),
      plugin,
      'commands.ownerAllowFrom',
    ),
  ]);
  const issues = [
    ...lists,
    ...accounts.flatMap(({ plugin, raw, settingsPath }) => lintNames(raw, plugin, settingsPath)),
  ];
  return issues.map(({ path, problem, fix }) => ({ level: 'warn', path, problem: `It ${problem}.`, fix }));
};

export const accessRules: readonly Rule[] = [channels, names, commands, gateway, log, plugins];
