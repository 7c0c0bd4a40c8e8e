import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createConfigStore } from './config/create-store.ts';
import { lintConfig } from './config/lint.ts';
import type { ConfigSnapshot } from './config/store.ts';
import { jsonSchema, type JsonSchema } from './config/schema-hints.ts';
import { silentLog } from './core/log.ts';
import { readEnv } from './platform/env.ts';
import type { Config } from './schema.ts';
import { configSchema, settingRules } from './testing/whole-schema.ts';
import { tempDir } from './testing/temp-dir.ts';

async function load(text: string, vars: Record<string, string> = {}): Promise<ConfigSnapshot<Config>> {
  await using dir = await tempDir('schema');
  await writeFile(join(dir.path, 'clawdbot.json'), text);
  const env = readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path, ...vars });
  await using store = await createConfigStore({
    schema: configSchema,
    rules: settingRules,
    lint: lintConfig,
    env,
    log: silentLog,
  });
  return store.snapshot();
}

test('nothing has to be configured', async () => {
  const { valid, warnings, config } = await load('{}');
  assert.deepEqual([valid, warnings, config.gateway.port, config.logging.level], [true, [], 18_789, 'info']);
});

test('the zone of the person is one, or is refused by its name: every time would be told wrong', async () => {
  assert.equal((await load(`{ agents: { defaults: { userTimezone: 'Europe/Berlin' } } }`)).valid, true);
  const { valid, issues } = await load(`{ agents: { defaults: { userTimezone: 'Europe/Berln' } } }`);
  assert.equal(valid, false);
  assert.match(JSON.stringify(issues), /agents\.defaults\.userTimezone.*must be an IANA zone like Europe\/Berlin/);
});

test('a file of the newest release of the family drives this one, without a complaint about its keys', async () => {
  const { valid, issues, warnings, config } = await load(
    `{
    $schema: 'https://example.org/schema.json',
    meta: { lastTouchedVersion: '2026.9.6', lastTouchedAt: '2026-09-20T00:00:00Z' },
    wizard: { lastRunAt: 'x' }, update: { channel: 'stable' }, ui: { seamColor: '#fff' }, auth: { profiles: {} },
    acp: {}, secrets: {}, memory: {}, mcp: {},
    env: { shellEnv: { enabled: true }, vars: { GROQ: 'g' } },
    logging: { level: 'debug', redactPatterns: [] },
    gateway: { mode: 'local', port: 18790, bind: 'loopback', auth: { mode: 'token', token: { source: 'env',
      provider: 'default', id: 'GW' }, rateLimit: {} }, tailscale: { mode: 'off' }, tls: { enabled: false },
      controlUi: { enabled: true, allowedOrigins: [], embedSandbox: 'scripts' }, reload: { mode: 'hybrid' },
        http: { endpoints: { chatCompletions: { enabled: true, maxBodyBytes: 1 } } }, remote: { url: 'wss://x',
        transport: 'direct' } },
    agents: { defaults: { model: { primary: 'anthropic/opus', fallbacks: ['openai/gpt'] }, workspace: '~/w',
      maxConcurrent: 2, heartbeat: { every: '30m' }, thinkingDefault: 'adaptive' },
      entries: { main: { default: true, name: 'Ada' }, work: { workspace: '~/work' } } },
    models: { mode: 'merge', providers: { local: { baseUrl: 'http://127.0.0.1:1234/v1', apiKey: '\${GROQ}',
      api: 'openai-completions', models: [{ id: 'm', name: 'M', reasoning: false, input: ['text'], cost: { input: 0,
      output: 0, cacheRead: 0, cacheWrite: 0 }, contextWindow: 8000, maxTokens: 1000 }] } } },
    bindings: [{ agentId: 'work', match: { channel: 'telegram', peer: { kind: 'group', id: '-100' } } }],
    session: { dmScope: 'per-peer', groupScope: 'per-group', reset: { mode: 'idle', idleMinutes: 60 },
      resetByType: { direct: { idleMinutes: 5 } }, maintenance: {}, sendPolicy: { rules: [{ action: 'deny',
      match: { rawKeyPrefix: 'agent:work:', chatType: 'dm' } }] } },
    messages: { queue: { mode: 'collect', debounceMs: 500, byChannel: { slack: 'steer-backlog' } },
      ackReactionScope: 'group-mentions', tts: {} },
    tools: { profile: 'coding', allow: ['group:fs'] }, hooks: { enabled: false }, cron: { enabled: true },
      browser: { enabled: true }, skills: {}, plugins: { entries: {} }, talk: {}, canvasHost: {}, discovery: {},
      approvals: {}, broadcast: {}, web: {}, media: {}, audio: {}, nodeHost: {}, diagnostics: {}, cli: {},
    channels: { defaults: {}, telegram: { enabled: true, botToken: 't', dmPolicy: 'pairing' } },
    commands: { native: 'auto', text: true },
  }`,
    { GW: 'from-env' },
  );
  assert.deepEqual(issues, []);
  assert.equal(valid, true);
  assert.deepEqual(
    [
      config.gateway.port,
      config.gateway.auth.token,
      config.agents.list.map(({ id }) => id),
      config.models.providers['local']?.apiKey,
    ],
    [18_790, 'from-env', ['main', 'work'], 'g'],
  );
  assert.deepEqual(
    [
      config.agents.defaults.thinkingDefault,
      config.session.resetByType.dm?.idleMinutes,
      config.session.sendPolicy.rules[0]?.match,
    ],
    ['medium', 5, { rawKeyPrefix: 'agent:work:', chatType: 'direct' }],
  );
  assert.deepEqual(
    warnings.filter(({ problem }) => problem.startsWith('unknown')).map(({ path }) => path),
    [],
  );
});

test('the oldest spelling of commands, sandboxes and pictures means what it said', async () => {
  const { valid, issues, warnings, config } = await load(`{
    agent: { bash: { backgroundMs: 3000, timeoutSec: 60, cleanupMs: 120000 }, tools: { deny: ['exec',
      'apply-patch'] }, elevated: { allowFrom: { telegram: [4711] } }, elevatedDefault: 'on',
      sandbox: { mode: 'all', perSession: false, tools: { allow: ['bash'] } },
        imageModelFallbacks: ['openai/gpt-5-mini'] },
  }`);
  assert.deepEqual([valid, issues], [true, []]);
  // What features add is not in the type.
  const { exec, elevated, deny, sandbox } = config.tools as unknown as typeof config.tools &
    Record<'exec' | 'elevated', Readonly<Record<string, unknown>>>;
  assert.deepEqual(
    [exec.backgroundMs, exec.timeoutSec, exec.cleanupMs, exec.security, exec.ask],
    [3000, 60, 120_000, 'allowlist', 'on-miss'],
  );
  assert.deepEqual(
    [elevated.allowFrom, elevated.enabled, deny, sandbox.tools.allow],
    [{ telegram: ['4711'] }, true, ['exec', 'apply-patch'], ['bash']],
  );
  const defaults = config.agents.defaults as unknown as Record<string, unknown> & {
    readonly sandbox: Record<string, unknown>;
  };
  assert.deepEqual(
    [defaults.sandbox.mode, defaults.sandbox.scope, defaults.imageModel, defaults.elevatedDefault],
    ['all', 'shared', { fallbacks: ['openai/gpt-5-mini'] }, 'on'],
  );
  assert.deepEqual(
    warnings.filter(({ problem }) => !/ is an old name of /.test(problem)),
    [],
    'nothing of it is unknown',
  );
});

test('the oldest spelling drives this one too', async () => {
  const { valid, config } = await load(
    `{ agent: { model: 'anthropic/opus', imageModel: 'openai/gpt', tools: {} }, telegram: { botToken: 't' }, ` +
      `routing: { bindings: [{ agentId: 'main', match: { provider: 'telegram' } }] }, session: { idleMinutes: ` +
      `5 }, identity: { name: 'Ada' } }`,
  );
  assert.equal(valid, true);
  assert.equal(config.agents.defaults.model, 'anthropic/opus');
  assert.deepEqual(config.bindings[0]?.match, { channel: 'telegram' });
  assert.deepEqual(config.channels['telegram'], { botToken: 't' });
  assert.deepEqual(
    [config.session.reset.mode, config.session.reset.idleMinutes, config.agents.list[0]?.identity?.name],
    ['idle', 5, 'Ada'],
  );
});

test('a misspelt tool profile is refused: ignored, it would open every tool', async () => {
  const { valid, issues } = await load(`{ tools: { profile: 'minmal' } }`);
  assert.deepEqual([valid, issues.map(({ path }) => path)], [false, ['tools.profile']]);
  assert.match(`${issues[0]?.problem} ${issues[0]?.fix}`, /minimal/);
});

test('two agents cannot share an id or a directory', async () => {
  const { issues } = await load(
    `{ agents: { list: [{ id: 'a', agentDir: '/x' }, { id: 'a' }, { id: 'b', agentDir: '/x' }] } }`,
  );
  assert.deepEqual(
    issues.map(({ path }) => path),
    ['agents.list[1].id', 'agents.list[2].agentDir'],
  );
});

test('a binding to nobody is a warning', async () => {
  const { valid, warnings } = await load(
    `{ bindings: [{ agentId: 'ghost', match: { channel: 'slack' } }, { agentId: 'MAIN', match: { channel: ` +
      `'discord' } }] }`,
  );
  assert.deepEqual([valid, warnings.map(({ path }) => path)], [true, ['bindings[0].agentId']]);
});

test('every setting says what it is for', () => {
  const silent: string[] = [];
  const visit = (schema: JsonSchema, path: string, said: boolean): void => {
    const reported = said || schema.description !== undefined;
    const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
    const children = Object.entries(schema.properties ?? {});
    for (const [key, child] of children) visit(child, `${path}.${key}`, false);
    for (const part of parts) visit(part, path, reported);
    if (children.length === 0 && parts.length === 0 && !reported) silent.push(path);
  };
  visit(jsonSchema(configSchema), '', false);
  assert.deepEqual(silent, []);
});

test('a misspelt setting of links or media is told with the right one (U52); what the family has there is not', async () => {
  const { valid, warnings } = await load(
    `{ tools: { links: { maxlinks: 1, models: [{ command: 'x', args: ['{{LinkUrl}}'], tmeoutSeconds: 2 }] }, ` +
      `media: { audio: { request: {}, attachments: { mod: 'all' } } } } }`,
  );
  assert.equal(valid, true);
  assert.deepEqual(
    warnings.map(({ path, fix }) => [path, fix]),
    [
      ['tools.links.maxlinks', 'Did you mean "tools.links.maxLinks"?'],
      ['tools.links.models[0].tmeoutSeconds', 'Did you mean "tools.links.models[0].timeoutSeconds"?'],
      ['tools.media.audio.attachments.mod', 'Did you mean "tools.media.audio.attachments.mode"?'],
      ['', 'They can stay; they have no effect here.'],
    ],
  );
});

test('a command that is never told its link or file is a warning, an old placeholder an error', async () => {
  const { warnings } = await load(`{ tools: { links: { models: [{ command: 'a' }, { command: 'b', args: ['{LinkUrl}'] },
      { command: 'c', args: ['--url={{ LinkUrl }}'] }] }, media: { models: [{ command: 'd', args: ['x'],
      capabilities: ['audio'] }, { command: 'e', args: ['{{MediaPath}}'] }] } },
    agents: { list: [{ id: 'main', tools: { links: { models: [{ command: 'f' }] } } }] } }`);
  assert.deepEqual(
    warnings.map(({ path }) => path),
    [
      'tools.links.models[0].args',
      'tools.links.models[1].args',
      'agents.list[0].tools.links.models[0].args',
      'tools.media.models[0].args',
    ],
  );
  const { issues } = await load(
    `{ tools: { media: { audio: { models: [{ command: 'hear', args: ['{input}'] }] } }, links: { models: [{ ` +
      `command: 'x', args: ['{input}'] }] } } }`,
  );
  assert.deepEqual(
    issues.map(({ problem }) => problem.replace(/.*write /, '')),
    ['{{LinkUrl}}', '{{MediaPath}}'],
  );
});

test('what is missing because its name is misspelt is told so', async () => {
  const { issues } = await load(
    `{ tools: { links: { models: [{ comand: 'x', args: ['{{LinkUrl}}'] }, { args: ['{{LinkUrl}}'] }] } } }`,
  );
  assert.deepEqual(
    issues.map(({ path, fix }) => [path, fix?.slice(0, 30)]),
    [
      ['tools.links.models[0].command', 'Rename "comand" if that is wha'],
      ['tools.links.models[1].command', 'Use text (Program to run: a na'],
    ],
  );
});

test('the documented forms of link settings are taken as they stand', async () => {
  const models = "models: [{ command: 'link-understand', args: ['--url', '{{LinkUrl}}'] }]";
  const forms = [
    `tools: { links: { enabled: true, maxLinks: 3, timeoutSeconds: 30, scope: { default: 'allow', rules: [{ ` +
      `action: 'deny', match: { chatType: 'group' } }] }, models: [{ type: 'cli', command: 'link-understand', ` +
      `args: ['--url', '{{LinkUrl}}', '--format', 'markdown'], timeoutSeconds: 20 }] } }`,
    `tools: { links: { scope: { default: 'deny', rules: [{ action: 'allow', match: { channel: 'discord' } }, ` +
      `{ action: 'allow', match: { keyPrefix: 'agent:main:' } }] }, ${models} } }`,
    `tools: { links: { maxLinks: 1, timeoutSeconds: 10, models: [{ command: 'link-understand', args: ` +
      `['--url', '{{LinkUrl}}'] }, { command: 'link-backup', args: ['{{LinkUrl}}'] }] } }`,
    `agents: { list: [{ id: 'support', tools: { links: { enabled: true, maxLinks: 2, ${models} } } }] }`,
  ];
  for (const form of forms) {
    const { valid, warnings } = await load(`{ ${form} }`);
    assert.deepEqual([valid, warnings], [true, []], form);
  }
});

test('a slip of the pen right under tools is a warning; what other releases keep there is not', async () => {
  const { warnings } = await load(
    `{ tools: { link: { maxLinks: 1 }, medai: {}, exec: { host: 'auto' }, sandbox: {}, web: {} }, agents: { ` +
      `list: [{ id: 'main', tools: { lnks: {}, media: { image: {} } } }] } }`,
  );
  assert.deepEqual(
    warnings.filter(({ path }) => path.includes('tools')).map(({ path, fix }) => [path, fix]),
    [
      ['tools.link', 'Did you mean "links"?'],
      ['tools.medai', 'Did you mean "media"?'],
      ['agents.list[0].tools.lnks', 'Did you mean "links"?'],
      ['agents.list[0].tools.media', 'Set `tools.media`; its `scope` can go by session key.'],
    ],
  );
});
