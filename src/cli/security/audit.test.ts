// What an audit tells of a configuration: nothing of a new one, and each thing that was opened with its way back.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPENINGS } from '../../core/access-table.ts';
import { createPluginLoader } from '../../plugins/load.ts';
import { silentLog } from '../../core/log.ts';
import { accountsOf } from '../../plugins/channel-accounts.ts';
import { configSchema } from '../../testing/whole-schema.ts';
import { audit } from './audit.ts';

const plugins = createPluginLoader({
  closed: [],
  config: configSchema.parse({}).plugins,
  log: silentLog,
  home: '/nowhere',
  packagesFrom: '/nowhere',
}).describeChannels();

async function findings(written: object, asRoot = false) {
  const config = configSchema.parse(written);
  const fixture = { channels: config.channels, variable: () => undefined };
  return audit(
    { config, accounts: (await plugins).flatMap((plugin) => accountsOf(plugin, fixture)), asRoot },
    { issues: [], warnings: [] },
  );
}

const TELEGRAM = { botToken: '1:x', allowFrom: ['42'] };

describe('security audit', () => {
  it('says nothing of a new installation, nor of a channel with its owner', async () => {
    assert.deepEqual(await findings({}), []);
    assert.deepEqual(
      await findings({ channels: { telegram: TELEGRAM }, gateway: { auth: { token: 'x'.repeat(32) } } }),
      [],
    );
  });

  const CASES: readonly (readonly [path: string, level: 'critical' | 'warn' | 'info', config: object])[] = [
    ...OPENINGS.map(
      (opening) =>
        ['access.open', opening === 'prompt-files' ? 'critical' : 'warn', { access: { open: [opening] } }] as const,
    ),
    ['tools.message.allowCrossContextSend', 'critical', { tools: { message: { allowCrossContextSend: true } } }],
    [
      'tools.message.crossContext.allowAcrossProviders',
      'info',
      { tools: { message: { crossContext: { allowAcrossProviders: true } } } },
    ],
    ['tools.sessions.visibility', 'warn', { tools: { sessions: { visibility: 'agent' } } }],
    ['tools.sessions.visibility', 'warn', { tools: { sessions: { visibility: 'all' } } }],
    ['tools.agentToAgent.allow', 'warn', { tools: { agentToAgent: { enabled: true } } }],
    [
      'agents.defaults.sandbox.sessionToolsVisibility',
      'warn',
      { agents: { defaults: { sandbox: { sessionToolsVisibility: 'all' } } } },
    ],
    ['tools.exec.security', 'critical', { tools: { exec: { security: 'full' } } }],
    ['tools.exec.ask', 'info', { tools: { exec: { ask: 'off' } } }],
    ['tools.elevated.allowFrom.telegram', 'critical', { tools: { elevated: { allowFrom: { telegram: ['*'] } } } }],
    ['agents.defaults.elevatedDefault', 'warn', { agents: { defaults: { elevatedDefault: 'full' } } }],
    ['tools.fs.workspaceOnly', 'warn', { tools: { fs: { workspaceOnly: false } } }],
    ['tools.exec.passEnv', 'warn', { tools: { exec: { passEnv: ['GITHUB_TOKEN'] } } }],
    ['agents.defaults.sandbox.network', 'warn', { agents: { defaults: { sandbox: { mode: 'all', network: true } } } }],
    ['agents.defaults.sandbox.scope', 'warn', { agents: { defaults: { sandbox: { mode: 'all', scope: 'shared' } } } }],
    [
      'agents.defaults.sandbox.workspaceAccess',
      'info',
      { agents: { defaults: { sandbox: { mode: 'all', workspaceAccess: 'rw' } } } },
    ],
    ['channels.telegram.dmPolicy', 'warn', { channels: { telegram: { ...TELEGRAM, dmPolicy: 'open' } } }],
    ['channels.telegram.groupPolicy', 'warn', { channels: { telegram: { ...TELEGRAM, groupPolicy: 'open' } } }],
    [
      'channels.telegram.accounts.work.groupPolicy',
      'warn',
      { channels: { telegram: { accounts: { work: { ...TELEGRAM, groupPolicy: 'open' } } } } },
    ],
    [
      'channels.discord.allowBots',
      'warn',
      { channels: { discord: { token: 'x', allowFrom: ['1'], allowBots: true } } },
    ],
    [
      'channels.discord.actions.moderation',
      'info',
      { channels: { discord: { token: 'x', allowFrom: ['1'], actions: { moderation: true } } } },
    ],
    ['channels.telegram.allowFrom', 'info', { channels: { telegram: { botToken: '1:x' } } }],
    [
      'commands.ownerAllowFrom',
      'info',
      { channels: { telegram: TELEGRAM }, commands: { ownerAllowFrom: ['discord:1'] } },
    ],
    [
      'channels.discord.guilds.home',
      'warn',
      { channels: { discord: { token: 'x', allowFrom: ['1'], guilds: { home: {} } } } },
    ],
    ['channels.telegram.allowFrom', 'warn', { channels: { telegram: { ...TELEGRAM, allowFrom: ['42', '@ann'] } } }],
    [
      'channels.slack.accounts.work.channels.#general',
      'warn',
      { channels: { slack: { accounts: { work: { channels: { '#general': {} } } } } } },
    ],
    [
      'commands.ownerAllowFrom',
      'warn',
      { channels: { telegram: TELEGRAM }, commands: { ownerAllowFrom: ['telegram:@ann'] } },
    ],
    [
      'tools.exec.approvers.telegram',
      'warn',
      { channels: { telegram: TELEGRAM }, tools: { exec: { approvers: { telegram: ['ann'] } } } },
    ],
    [
      'tools.elevated.allowFrom.telegram',
      'warn',
      { channels: { telegram: TELEGRAM }, tools: { elevated: { allowFrom: { telegram: ['ann'] } } } },
    ],
    ['commands.useAccessGroups', 'warn', { commands: { useAccessGroups: false } }],
    ['commands.restart', 'warn', { commands: { restart: true } }],
    ['commands.config', 'info', { commands: { config: true } }],
    ['commands.debug', 'info', { commands: { debug: true } }],
    ['gateway.bind', 'info', { gateway: { bind: 'lan' } }],
    ['gateway.auth.token', 'warn', { gateway: { auth: { token: 'short' } } }],
    ['gateway.auth.password', 'warn', { gateway: { auth: { mode: 'password', password: 'eleven-char' } } }],
    ['gateway.controlUi.allowInsecureAuth', 'critical', { gateway: { controlUi: { allowInsecureAuth: true } } }],
    ['gateway.controlUi.allowedOrigins', 'critical', { gateway: { controlUi: { allowedOrigins: ['*'] } } }],
    ['gateway.trustedProxies', 'info', { gateway: { trustedProxies: ['10.0.0.1'] } }],
    ['canvasHost.bind', 'info', { canvasHost: { port: 18_793, bind: 'lan' } }],
    ['gateway.controlUi.embedSandbox', 'info', { gateway: { controlUi: { embedSandbox: 'trusted' } } }],
    ['hooks.token', 'warn', { hooks: { enabled: true, token: 'sixteen-letters!' } }],
    ['logging.redactSensitive', 'warn', { logging: { redactSensitive: 'off' } }],
    ['plugins.load.paths', 'info', { plugins: { load: { paths: ['/opt/plugin'] } } }],
  ];
  for (const [path, level, config] of CASES)
    it(`${path} is ${level}: ${JSON.stringify(config)}`, async () => {
      const found = await findings(config);
      const [one] = found.filter((finding) => finding.path === path && finding.level === level);
      assert.ok(one, JSON.stringify(found));
      assert.ok(one.problem.endsWith('.') && one.fix.endsWith('.'), 'sentences for people');
    });

  it('a secret others could guess is critical: the file with it is not in force', async () => {
    const [found] = await audit(
      { config: configSchema.parse({}), accounts: [], asRoot: false },
      {
        issues: [
          { path: 'gateway.auth.token', problem: 'is too short for a gateway that others reach', fix: 'Unset it.' },
        ],
        warnings: [],
      },
    );
    assert.deepEqual([found?.level, found?.path], ['critical', 'gateway.auth.token']);
  });

  it('says of a gateway of root that what is outside of sandboxes is root too', async () => {
    const all = { agents: { defaults: { sandbox: { mode: 'all' } } } };
    assert.deepEqual(
      (await findings({}, true)).map(({ level, path }) => [level, path]),
      [['warn', 'the user']],
    );
    assert.deepEqual(await findings(all, true), []);
    assert.equal(
      (await findings({ agents: { ...all.agents, list: [{ id: 'main', sandbox: { mode: 'off' } }] } }, true)).length,
      1,
    );
  });

  it('tells the worst first, and what the file says that is of no use', async () => {
    const config = configSchema.parse({ tools: { exec: { security: 'full' } }, commands: { debug: true } });
    const found = await audit(
      { config, accounts: [], asRoot: false },
      {
        issues: [{ path: 'tools.exce', problem: 'there is no such setting', fix: 'Did you mean "exec"?' }],
        warnings: [],
      },
    );
    assert.deepEqual(
      found.map(({ level, path }) => [level, path]),
      [
        ['critical', 'tools.exec.security'],
        ['warn', 'tools.exce'],
        ['info', 'commands.debug'],
      ],
    );
  });
});
