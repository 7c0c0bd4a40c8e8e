// An access limit that is not understood fails closed: the file is rejected, in the spelling of every release.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createConfigStore } from '../../../src/config/create-store.ts';
import { lintConfig } from '../../../src/config/lint.ts';
import { silentLog } from '../../../src/core/log.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { configSchema, settingRules } from '../../../src/testing/whole-schema.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';

const DENY = { deny: ['bash'] };
const agent = (more: object) => ({ agents: { list: [{ id: 'a', ...more }] } });
const binding = (more: object) => ({ bindings: [{ agentId: 'main', match: { channel: 'telegram' }, ...more }] });
const telegram = (more: object) => ({ channels: { telegram: { allowFrom: ['1'], ...more } } });

/** What is written, and the path that is complained about. */
const CLOSES: readonly (readonly [written: object, path: string])[] = [
  [{ tools: { toolsBySender: { 'telegram:1': DENY } } }, 'tools.toolsBySender'],
  [agent({ tools: { toolsBySender: { '*': DENY } } }), 'agents.list[0].tools.toolsBySender'],
  [{ agent: { tools: { toolsBySender: { '*': DENY } } } }, 'tools.toolsBySender'],
  [{ agents: { entries: { a: { tools: { toolsBySender: { '*': DENY } } } } } }, 'agents.list[0].tools.toolsBySender'],
  [{ agents: { defaults: { tools: DENY } } }, 'agents.defaults.tools'],
  [{ agents: { defaults: { skills: ['weather'] } } }, 'agents.defaults.skills'],
  [{ tools: { exec: { mode: 'denied' } } }, 'tools.exec.mode'],
  [{ tools: { exec: { mode: 'sandbox-only' } } }, 'tools.exec.mode'],
  [{ tools: { exec: { mode: 7 } } }, 'tools.exec.mode'],
  [{ tools: { bash: { mode: 'never' } } }, 'tools.exec.mode'],
  [{ agent: { bash: { mode: 'never' } } }, 'tools.exec.mode'],
  [agent({ tools: { exec: { mode: 'never' } } }), 'agents.list[0].tools.exec.mode'],
  [{ commands: { allowFrom: { telegram: ['1'] } } }, 'commands.allowFrom'],
  [{ commands: { allowFrom: { '*': ['1'] } } }, 'commands.allowFrom'],
  [{ commands: { allowFrom: ['1'] } }, 'commands.allowFrom'],
  [binding({ type: 'acp' }), 'bindings[0].type'],
  [binding({ acp: { mode: 'persistent' } }), 'bindings[0].acp'],
  [{ routing: { bindings: [{ agentId: 'main', type: 'acp', match: { provider: 'telegram' } }] } }, 'bindings[0].type'],
  [agent({ runtime: { type: 'acp', acp: { agent: 'codex' } } }), 'agents.list[0].runtime.type'],
  [{ gateway: { tools: { deny: ['bash'] } } }, 'gateway.tools.deny'],
  [{ gateway: { tools: { allow: ['read'] } } }, 'gateway.tools.allow'],
  [{ gateway: { tls: { enabled: true } } }, 'gateway.tls.enabled'],
  [{ hooks: { allowedSessionKeyPrefixes: ['hook:'] } }, 'hooks.allowedSessionKeyPrefixes'],
  [telegram({ execApprovals: { approvers: ['1'] } }), 'channels.telegram.execApprovals.approvers'],
  [
    telegram({ accounts: { a: { execApprovals: { approvers: ['1'] } } } }),
    'channels.telegram.accounts.a.execApprovals.approvers',
  ],
  [{ telegram: { execApprovals: { approvers: ['1'] } } }, 'channels.telegram.execApprovals.approvers'],
  [telegram({ contextVisibility: 'allowlist' }), 'channels.telegram.contextVisibility'],
  [telegram({ direct: { 7: { enabled: false } } }), 'channels.telegram.direct'],
  ...['memory', 'memorySwap', 'cpus', 'pidsLimit', 'ulimits', 'seccompProfile', 'apparmorProfile'].flatMap(
    (name): readonly (readonly [object, string])[] => [
      [{ agents: { defaults: { sandbox: { docker: { [name]: 'x' } } } } }, `agents.defaults.sandbox.docker.${name}`],
      [agent({ sandbox: { docker: { [name]: 1 } } }), `agents.list[0].sandbox.docker.${name}`],
    ],
  ),
  [
    { gateway: { http: { endpoints: { chatCompletions: { images: { allowUrl: false } } } } } },
    'gateway.http.endpoints.chatCompletions.images.allowUrl',
  ],
  [
    { gateway: { http: { endpoints: { responses: { files: { urlAllowlist: ['x.example'] } } } } } },
    'gateway.http.endpoints.responses.files.urlAllowlist',
  ],
  // slips of the pen
  ...['dney', 'denny', 'Deny', 'alow', 'allowed', 'profil'].map(
    (name) => [{ tools: { [name]: ['bash'] } }, `tools.${name}`] as const,
  ),
  ...['dney', 'allows'].flatMap(
    (name) =>
      [
        [agent({ tools: { [name]: ['bash'] } }), `agents.list[0].tools.${name}`],
        [{ tools: { sandbox: { tools: { [name]: ['bash'] } } } }, `tools.sandbox.tools.${name}`],
        [{ tools: { subagents: { tools: { [name]: ['bash'] } } } }, `tools.subagents.tools.${name}`],
        [{ tools: { byProvider: { openai: { [name]: ['bash'] } } } }, `tools.byProvider.openai.${name}`],
      ] as const,
  ),
  ...['securty', 'secruity', 'aks', 'safeBin', 'approver'].map(
    (name) => [{ tools: { exec: { [name]: 'deny' } } }, `tools.exec.${name}`] as const,
  ),
  [agent({ tools: { exec: { securty: 'deny' } } }), 'agents.list[0].tools.exec.securty'],
  [{ tools: { elevated: { enable: false } } }, 'tools.elevated.enable'],
  [{ tools: { elevated: { allowForm: {} } } }, 'tools.elevated.allowForm'],
  [{ tools: { fs: { workspaceonly: true } } }, 'tools.fs.workspaceonly'],
  [{ agents: { defaults: { sandbox: { moed: 'all' } } } }, 'agents.defaults.sandbox.moed'],
  [agent({ sandbox: { workspaceAcess: 'none' } }), 'agents.list[0].sandbox.workspaceAcess'],
  [telegram({ dmpolicy: 'disabled' }), 'channels.telegram.dmpolicy'],
  [telegram({ groupPolcy: 'disabled' }), 'channels.telegram.groupPolcy'],
  [telegram({ groupAllowForm: ['1'] }), 'channels.telegram.groupAllowForm'],
  [{ channels: { telegram: { alowFrom: ['1'] } } }, 'channels.telegram.alowFrom'],
  [telegram({ accounts: { a: { dmPolicies: 'disabled' } } }), 'channels.telegram.accounts.a.dmPolicies'],
  [telegram({ groups: { '-1': { requireMentions: true } } }), 'channels.telegram.groups.-1.requireMentions'],
  [telegram({ groups: { '-1': { toolsBySenders: {} } } }), 'channels.telegram.groups.-1.toolsBySenders'],
  [{ channels: { discord: { guilds: { 1: { user: ['1'] } } } } }, 'channels.discord.guilds[1].user'],
  [
    { channels: { discord: { guilds: { 1: { channels: { 2: { role: ['1'] } } } } } } },
    'channels.discord.guilds[1].channels[2].role',
  ],
  [{ channels: { slack: { channels: { C1: { user: ['U1'] } } } } }, 'channels.slack.channels.C1.user'],
  [{ commands: { ownerAllowForm: ['telegram:1'] } }, 'commands.ownerAllowForm'],
  [{ commands: { useAccessGroup: true } }, 'commands.useAccessGroup'],
  [{ hooks: { allowedAgentId: ['a'] } }, 'hooks.allowedAgentId'],
  [{ gateway: { controlUi: { allowedOrigin: ['x'] } } }, 'gateway.controlUi.allowedOrigin'],
];

/** What is understood, and what closes nothing. */
const STAYS: readonly object[] = [
  {},
  {
    tools: {
      deny: ['bash'],
      allow: ['read'],
      alsoAllow: ['image'],
      profile: 'minimal',
      byProvider: { openai: { deny: ['bash'] } },
    },
  },
  { tools: { toolsBySender: {} } },
  { tools: { exec: { mode: 'deny' } } },
  { tools: { exec: { mode: 'allowlist' } } },
  { tools: { exec: { mode: 'ask' } } },
  { tools: { exec: { mode: 'auto' } } },
  { tools: { exec: { mode: 'full' } } },
  agent({ tools: { exec: { mode: 'deny' } } }),
  { commands: { allowFrom: {} } },
  { commands: { ownerAllowFrom: ['telegram:1'], text: true, native: 'auto', config: true } },
  binding({}),
  binding({ type: 'route' }),
  binding({ comment: 'mine' }),
  agent({ runtime: { type: 'embedded' } }),
  { gateway: { tools: { deny: [] } } },
  { gateway: { tls: { enabled: false } } },
  { hooks: { allowedSessionKeyPrefixes: [] } },
  telegram({
    dmPolicy: 'allowlist',
    groupPolicy: 'disabled',
    groupAllowFrom: ['1'],
    configWrites: false,
    allowBots: false,
    groups: {
      '-1': {
        requireMention: true,
        allowFrom: ['1'],
        enabled: false,
        systemPrompt: 'x',
        skills: ['a'],
        tools: DENY,
        toolsBySender: { 1: DENY },
        topics: { 2: { allowFrom: ['1'] } },
      },
    },
  }),
  telegram({ contextVisibility: 'all', direct: {}, execApprovals: { enabled: true, approvers: [] } }),
  {
    channels: {
      discord: {
        guilds: {
          1: {
            users: ['1'],
            roles: ['2'],
            requireMention: true,
            slug: 'x',
            channels: { 3: { users: ['1'], roles: ['2'], tools: DENY } },
          },
          '*': {},
        },
      },
    },
  },
  { channels: { slack: { channels: { C1: { users: ['U1'], allow: true, requireMention: false, tools: DENY } } } } },
  {
    agents: {
      defaults: {
        sandbox: {
          mode: 'all',
          scope: 'agent',
          workspaceAccess: 'ro',
          network: false,
          limits: { memoryMb: 512 },
          docker: { image: 'x' },
        },
      },
    },
  },
  {
    tools: {
      elevated: { enabled: true, allowFrom: { telegram: ['1'] } },
      fs: { workspaceOnly: true },
      exec: { security: 'deny', ask: 'always', host: 'gateway', node: 'x', safeBins: [] },
    },
  },
  { gateway: { http: { endpoints: { chatCompletions: { enabled: true, images: { allowUrl: true } } } } } },
  { acp: { enabled: false }, browser: { enabled: false }, skills: { entries: {} }, messages: { tts: {} } },
];

async function load(written: object) {
  await using dir = await tempDir('settings');
  const path = join(dir.path, 'clawdbot.json');
  await writeFile(path, JSON.stringify(written));
  await using store = await createConfigStore({
    env: readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path, CLAWDBOT_CONFIG_PATH: path }),
    schema: configSchema,
    rules: settingRules,
    lint: lintConfig,
    log: silentLog,
  });
  return { ...store.snapshot(), now: store.current() };
}

describe('settings that limit', () => {
  it('are not passed over', async (t) => {
    for (const [written, path] of CLOSES) {
      const { valid, issues, safeMode } = await load(written);
      const found = issues.find((issue) => issue.path === path);
      assert.ok(found, `${JSON.stringify(written)}: ${JSON.stringify(issues)}`);
      assert.deepEqual([valid, safeMode], [false, true], path);
      assert.match(found.problem, /would stay open|not/, path);
      assert.ok(found.fix, path);
    }
    t.diagnostic(`settings: ${CLOSES.length}/${CLOSES.length} close`);
  });

  it('leave their neighbours alone', async (t) => {
    for (const written of STAYS) {
      const { valid, issues } = await load(written);
      assert.deepEqual(
        [valid, issues.filter(({ problem }) => /would stay open/.test(problem))],
        [true, []],
        JSON.stringify(written),
      );
    }
    t.diagnostic(`settings: ${STAYS.length}/${STAYS.length} neighbours stay`);
  });

  it('say the same in the words of other releases', async () => {
    const exec = async (written: object) => {
      const { exec } = (await load({ tools: { exec: written } })).now.tools as unknown as {
        exec: { security: string; ask: string };
      };
      return [exec.security, exec.ask];
    };
    assert.deepEqual(await exec({ mode: 'deny' }), ['deny', 'off']);
    assert.deepEqual(await exec({ mode: 'deny', security: 'full', ask: 'off' }), ['deny', 'off']);
    assert.deepEqual(await exec({ mode: 'allowlist' }), ['allowlist', 'off']);
    assert.deepEqual(await exec({ mode: 'ask' }), ['allowlist', 'on-miss']);
    assert.deepEqual(await exec({ mode: 'full' }), ['full', 'off']);
    assert.deepEqual(await exec({ mode: 'full', security: 'deny' }), ['deny', 'off']);
  });
});
