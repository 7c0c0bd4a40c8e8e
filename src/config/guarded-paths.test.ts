/** Changes a turn may not make, however they are spelled; and the ones it may. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLog } from '../core/log.ts';
import { AppError } from '../core/errors.ts';
import { readEnv } from '../platform/env.ts';
import { configSchema, type Config } from '../schema.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfigStore } from './create-store.ts';
import { GUARDS, guardedChanges, guardedSettings, OPEN, strangeKey } from './guarded-paths.ts';
import { migrate } from './migrate.ts';
import type { ChangeGuard, ConfigStore } from './store.ts';

const BASE = `{
  // mine
  agents: {
    defaults: { model: 'fake/model', sandbox: { mode: 'all' } },
    list: [{ id: 'main', default: true, tools: { deny: ['bash'] } }, { id: 'work', name: 'Work', sandbox: { mode: 'all' } }],
  },
  channels: {
    telegram: { botToken: '\${TG}', dmPolicy: 'allowlist', allowFrom: ['1'], groups: { '-100': { requireMention: true, allowFrom: ['1'] } }, accounts: { second: { botToken: 'x:y', allowFrom: ['2'] } } },
    discord: { token: 'd', guilds: { g: { users: ['1'] } } },
  },
  tools: { deny: ['gateway_x'], exec: { security: 'allowlist' }, elevated: { allowFrom: { telegram: ['1'] } } },
  session: { sendPolicy: { rules: [{ action: 'deny', match: { channel: 'discord' } }] } },
  models: { providers: { fake: { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'k', models: [{ id: 'model' }] } } },
  bindings: [{ agentId: 'work', match: { channel: 'telegram' } }],
  gateway: { auth: { token: 'secret-token-of-some-length' }, remote: { url: 'wss://far.example', token: 'far' } },
  plugins: { deny: ['bad'] },
}`;

const refuse: ChangeGuard = (change) => {
  const [first] = guardedChanges(change);
  if (first) throw new AppError('denied', `${first.path} ${first.why}`);
};

async function stage(base = BASE): Promise<{ store: ConfigStore<Config>; file: string } & AsyncDisposable> {
  const dir = await tempDir('guarded');
  const file = join(dir.path, 'clawdbot.json');
  await writeFile(file, base);
  await writeFile(join(dir.path, 'more.json5'), '{}');
  const env = readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path, TG: '1:abc', OPENAI_API_KEY: 'sk-live' });
  const store = await createConfigStore<Config>({ schema: configSchema, env, log: silentLog });
  return {
    store, file,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Patch → the path the refusal names. */
const REFUSED: readonly (readonly [patch: object, path: string])[] = [
  // tools
  [{ tools: { deny: [] } }, 'tools.deny[0]'], [{ tools: { deny: null } }, 'tools.deny'], [{ tools: { allow: ['*'] } }, 'tools.allow'], [{ tools: { alsoAllow: ['bash'] } }, 'tools.alsoAllow'], [{ tools: { profile: 'full' } }, 'tools.profile'],
  [{ tools: { byProvider: { fake: { allow: ['*'] } } } }, 'tools.byProvider.fake.allow'], [{ tools: { exec: { security: 'full' } } }, 'tools.exec.security'], [{ tools: { exec: null } }, 'tools.exec'], [{ tools: { exec: { ask: 'off' } } }, 'tools.exec.ask'],
  [{ tools: { exec: { safeBins: ['bash'] } } }, 'tools.exec.safeBins'], [{ tools: { exec: { pathPrepend: ['/tmp'] } } }, 'tools.exec.pathPrepend'], [{ tools: { exec: { passEnv: ['OPENAI_API_KEY'] } } }, 'tools.exec.passEnv'], [{ tools: { exec: { approvers: { telegram: ['9'] } } } }, 'tools.exec.approvers'],
  [{ tools: { elevated: { allowFrom: { telegram: ['*'] } } } }, 'tools.elevated.allowFrom.telegram[0]'], [{ tools: { elevated: { enabled: false } } }, 'tools.elevated.enabled'], [{ tools: { fs: { workspaceOnly: false } } }, 'tools.fs.workspaceOnly'],
  [{ tools: { message: { allowCrossContextSend: true } } }, 'tools.message'], [{ tools: { sandbox: { tools: { allow: ['*'] } } } }, 'tools.sandbox'], [{ tools: { subagents: { tools: { allow: ['*'] } } } }, 'tools.subagents'], [{ tools: { agentToAgent: { enabled: true } } }, 'tools.agentToAgent'],
  [{ tools: { links: { models: [{ command: '/tmp/evil' }] } } }, 'tools.links'], [{ tools: { media: { models: [{ command: '/tmp/evil', args: ['{{MediaPath}}'] }] } } }, 'tools.media.models'], [{ tools: { media: { audio: { baseUrl: 'https://evil.example' } } } }, 'tools.media.audio.baseUrl'],
  [{ tools: null }, 'tools'], [{ tools: { notYetKnown: true } }, 'tools.notYetKnown'],
  // agents
  [{ agents: { defaults: { sandbox: { mode: 'off' } } } }, 'agents.defaults.sandbox.mode'], [{ agents: { defaults: { sandbox: null } } }, 'agents.defaults.sandbox'], [{ agents: { defaults: { elevatedDefault: 'full' } } }, 'agents.defaults.elevatedDefault'],
  [{ agents: { defaults: { workspace: '/' } } }, 'agents.defaults.workspace'], [{ agents: { defaults: { subagents: { allow: ['*'] } } } }, 'agents.defaults.subagents'], [{ agents: { defaults: { maxConcurrent: 99 } } }, 'agents.defaults.maxConcurrent'],
  [{ agents: { defaults: { heartbeat: { target: 'telegram', to: '666' } } } }, 'agents.defaults.heartbeat'],
  [{ agents: { list: [] } }, 'agents.list'], [{ agents: { list: null } }, 'agents.list'], [{ agents: null }, 'agents'], [{ agents: { defaults: null } }, 'agents.defaults'], [{ session: null }, 'session'], [{ channels: null }, 'channels'],
  [{ agents: { list: [{ id: 'main', default: true }, { id: 'work', name: 'Work', sandbox: { mode: 'all' } }] } }, 'agents.list[0].tools'],
  [{ agents: { list: [{ id: 'main', default: true, tools: { deny: ['bash'] } }, { id: 'work', name: 'Work', sandbox: { mode: 'off' } }] } }, 'agents.list[1].sandbox.mode'],
  [{ agents: { list: [{ id: 'main', default: true, tools: { deny: ['bash'] } }] } }, 'agents.list[1]'],
  [{ agents: { list: [{ id: 'main', default: true, tools: { deny: ['bash'] } }, { id: 'work', name: 'Work', sandbox: { mode: 'all' } }, { id: 'free' }] } }, 'agents.list[2]'],
  [{ agents: { list: [{ id: 'work', name: 'Work', sandbox: { mode: 'all' } }, { id: 'main', default: true, tools: { deny: ['bash'] } }] } }, 'agents.list[0]'],
  // channels
  [{ channels: { telegram: { dmPolicy: 'open', allowFrom: ['*'] } } }, 'channels.telegram.dmPolicy'], [{ channels: { telegram: { allowFrom: ['1', '666'] } } }, 'channels.telegram.allowFrom[1]'], [{ channels: { telegram: { allowFrom: ['666'] } } }, 'channels.telegram.allowFrom[0]'],
  [{ channels: { telegram: { groupPolicy: 'open' } } }, 'channels.telegram.groupPolicy'], [{ channels: { telegram: { groupAllowFrom: ['*'] } } }, 'channels.telegram.groupAllowFrom'], [{ channels: { telegram: { groups: { '-100': { allowFrom: ['*'] } } } } }, 'channels.telegram.groups.-100.allowFrom[0]'],
  [{ channels: { telegram: { groups: { '-100': { tools: { allow: ['*'] } } } } } }, 'channels.telegram.groups.-100.tools'], [{ channels: { telegram: { groups: { '-100': { toolsBySender: { 1: { allow: ['*'] } } } } } } }, 'channels.telegram.groups.-100.toolsBySender'],
  [{ channels: { telegram: { groups: { '-200': { requireMention: true } } } } }, 'channels.telegram.groups.-200'], [{ channels: { telegram: { groups: { '-100': null } } } }, 'channels.telegram.groups.-100'], [{ channels: { telegram: { groups: null } } }, 'channels.telegram.groups'],
  [{ channels: { telegram: { groups: { '-100': { topics: { 7: { allowFrom: ['*'] } } } } } } }, 'channels.telegram.groups.-100.topics'], [{ channels: { telegram: { groups: { '-100': { systemPrompt: 'obey' } } } } }, 'channels.telegram.groups.-100.systemPrompt'],
  [{ channels: { telegram: { accounts: { second: { allowFrom: ['*'] } } } } }, 'channels.telegram.accounts.second.allowFrom[0]'], [{ channels: { telegram: { accounts: { Second: { textChunkLimit: 500 } } } } }, 'channels.telegram.accounts.Second'], [{ channels: { telegram: { accounts: { second: { botToken: '9:z' } } } } }, 'channels.telegram.accounts.second.botToken'],
  [{ channels: { telegram: { botToken: '9:z' } } }, 'channels.telegram.botToken'], [{ channels: { telegram: { apiRoot: 'https://evil.example' } } }, 'channels.telegram.apiRoot'], [{ channels: { telegram: { webhookUrl: 'https://evil.example/x', webhookSecret: 's' } } }, 'channels.telegram.webhookUrl'],
  [{ channels: { telegram: { configWrites: true } } }, 'channels.telegram.configWrites'], [{ channels: { telegram: { actions: { ban: true } } } }, 'channels.telegram.actions'], [{ channels: { telegram: { allowBots: true } } }, 'channels.telegram.allowBots'], [{ channels: { telegram: { enabled: false } } }, 'channels.telegram.enabled'],
  [{ channels: { discord: { dm: { policy: 'open', allowFrom: ['*'] } } } }, 'channels.discord.dm'], [{ channels: { discord: { guilds: { g: { users: ['*'] } } } } }, 'channels.discord.guilds.g.users[0]'], [{ channels: { discord: { guilds: null } } }, 'channels.discord.guilds'],
  [{ channels: { defaults: { dmPolicy: 'open' } } }, 'channels.defaults'], [{ channels: { slack: { botToken: 'xoxb-1' } } }, 'channels.slack'], [{ channels: { telegram: null } }, 'channels.telegram'],
  // old spellings of the same
  [{ agent: { tools: { deny: [] } } }, 'tools'], [{ agent: { tools: { deny: null } } }, 'tools'], [{ agent: { tools: null, elevated: {} } }, 'tools'], [{ agent: { elevated: { allowFrom: { telegram: ['*'] } } } }, 'tools.elevated'], [{ agent: { bash: { security: 'full' } } }, 'tools.exec'], [{ tools: { bash: { ask: 'off' } } }, 'tools.exec'], [{ telegram: { groupPolicy: 'open' } }, 'channels.telegram.groupPolicy'],
  [{ agent: { sandbox: { perSession: false } } }, 'agents.defaults.sandbox'], [{ agents: { entries: { free: { tools: { allow: ['*'] } } } } }, 'agents.list'], [{ routing: { agentToAgent: { enabled: true } } }, 'tools.agentToAgent'], [{ whatsapp: { allowFrom: ['*'] } }, 'channels.whatsapp'], [{ agents: { entries: { work: { sandbox: { mode: 'off' } } } } }, 'agents.list[1]'],
  // who answers, whom, where
  [{ bindings: [] }, 'bindings'], [{ bindings: null }, 'bindings'], [{ bindings: [{ agentId: 'main', match: { channel: 'telegram' } }] }, 'bindings[0].agentId'], [{ broadcast: { 'telegram:-100': ['main'] } }, 'broadcast'],
  [{ session: { sendPolicy: { default: 'allow', rules: [] } } }, 'session.sendPolicy'], [{ session: { sendPolicy: null } }, 'session.sendPolicy'], [{ session: { dmScope: 'per-peer' } }, 'session.dmScope'], [{ session: { scope: 'global' } }, 'session.scope'], [{ session: { identityLinks: { me: ['telegram:666'] } } }, 'session.identityLinks'], [{ session: { store: '/tmp/s.json' } }, 'session.store'],
  // the gateway and what it runs
  [{ commands: { config: true } }, 'commands.config'], [{ commands: { restart: true } }, 'commands.restart'], [{ commands: { ownerAllowFrom: ['telegram:666'] } }, 'commands.ownerAllowFrom'], [{ commands: { useAccessGroups: false } }, 'commands.useAccessGroups'],
  [{ gateway: { auth: { token: 'mine' } } }, 'gateway.auth.token'], [{ gateway: { auth: null } }, 'gateway.auth'], [{ gateway: { bind: 'lan' } }, 'gateway.bind'], [{ gateway: { controlUi: { allowedOrigins: ['https://evil.example'] } } }, 'gateway.controlUi.allowedOrigins'], [{ gateway: { http: { endpoints: { responses: { enabled: true } } } } }, 'gateway.http'],
  [{ gateway: { trustedProxies: ['0.0.0.0'] } }, 'gateway.trustedProxies'], [{ gateway: { remote: { url: 'wss://evil.example' } } }, 'gateway.remote.url'], [{ gateway: { reload: { mode: 'off' } } }, 'gateway.reload'], [{ gateway: { port: 1 } }, 'gateway.port'], [{ gateway: { tailscale: { mode: 'funnel' } } }, 'gateway.tailscale'],
  [{ hooks: { enabled: true, token: 'a-token-of-sufficient-length' } }, 'hooks'], [{ plugins: { load: { paths: ['/tmp/evil'] } } }, 'plugins'], [{ plugins: { deny: [] } }, 'plugins.deny[0]'], [{ security: { fetch: { allowRanges: ['10.0.0.0/8'] } } }, 'security.fetch'], [{ env: { vars: { LD_PRELOAD: '/tmp/x.so' } } }, 'env'], [{ env: { NODE_OPTIONS: '--require /tmp/x' } }, 'env.NODE_OPTIONS'],
  [{ models: { providers: { fake: { baseUrl: 'https://evil.example/v1' } } } }, 'models.providers.fake.baseUrl'], [{ models: { providers: { fake: { apiKey: 'x' } } } }, 'models.providers.fake.apiKey'], [{ models: { providers: { fake: { headers: { a: 'b' } } } } }, 'models.providers.fake.headers'], [{ models: { providers: { openai: { baseUrl: 'https://evil.example/v1' } } } }, 'models.providers.openai'], [{ models: { providers: null } }, 'models.providers'], [{ models: { mode: 'replace' } }, 'models.mode'],
  [{ logging: { redactSensitive: 'off' } }, 'logging.redactSensitive'], [{ logging: { file: '/tmp/log' } }, 'logging.file'], [{ cron: { store: '/tmp/jobs.json' } }, 'cron.store'], [{ cron: { enabled: false } }, 'cron.enabled'], [{ hooks: { mappings: [] } }, 'hooks'], [{ tools: { sessions: { visibility: 'all' } } }, 'tools.sessions'], [{ agents: { defaults: { heartbeat: { every: '5m', session: 'agent:work:main' } } } }, 'agents.defaults.heartbeat.session'], [{ update: { channel: 'dev' } }, 'update'], [{ browser: { enabled: true } }, 'browser'], [{ mcp: { servers: { x: { command: 'sh' } } } }, 'mcp'],
  // nobody has decided about these
  [{ somethingNew: { open: true } }, 'somethingNew'], [{ messages: { tts: { baseUrl: 'https://evil.example' } } }, 'messages.tts'], [{ session: { threadBindings: {} } }, 'session.threadBindings'],
  // in the shade of something harmless
  [{ messages: { responsePrefix: 'x' }, tools: { deny: [] } }, 'tools.deny[0]'],
  // secrets of the environment where they can be read
  [{ messages: { responsePrefix: '${OPENAI_API_KEY}' } }, 'messages.responsePrefix'], [{ messages: { responsePrefix: 'a${TG}b' } }, 'messages.responsePrefix'], [{ messages: { responsePrefix: { source: 'env', id: 'OPENAI_API_KEY' } } }, 'messages.responsePrefix'], [{ session: { resetTriggers: ['${OPENAI_API_KEY}'] } }, 'session.resetTriggers[0]'],
  [{ agents: { defaults: { models: { 'fake/${TG}': { alias: 'x' } } } } }, 'agents.defaults.models'],
];

const ALLOWED: readonly object[] = [
  { agents: { defaults: { model: 'fake/other' } } }, { agents: { defaults: { model: { primary: 'fake/model', fallbacks: ['fake/b'] } } } }, { agents: { defaults: { thinkingDefault: 'high', userTimezone: 'Europe/Berlin' } } }, { agents: { defaults: { models: { 'fake/model': { alias: 'm' } } } } },
  { agents: { defaults: { humanDelay: { mode: 'natural' }, typingMode: 'instant' } } }, { agents: { defaults: { timeoutSeconds: 77 } } }, { agents: { defaults: { compaction: { keepRecentTokens: 1000 } } } },
  { agents: { list: [{ id: 'main', default: true, tools: { deny: ['bash'] }, identity: { name: 'Clawd', emoji: '🦞' } }, { id: 'work', name: 'Office', sandbox: { mode: 'all' } }] } },
  { channels: { telegram: { textChunkLimit: 2000, streaming: 'blocks' } } }, { channels: { telegram: { accounts: { second: { replyToMode: 'all' } } } } }, { channels: { telegram: { groups: { '-100': { requireMention: false } } } } }, { channels: { discord: { ackReaction: '👀' } } },
  { messages: { responsePrefix: '🦞' } }, { messages: { queue: { mode: 'followup' } } }, { messages: { groupChat: { historyLimit: 10, mentionPatterns: ['clawd'] } } }, { messages: { inbound: { debounceMs: 500 } } },
  { session: { reset: { mode: 'daily', atHour: 5 } } }, { session: { resetTriggers: ['/fresh'] } }, { logging: { level: 'debug' } }, { agents: { defaults: { heartbeat: { every: '30m', activeHours: { start: '08:00', end: '20:00' } } } } }, { cron: { missed: { policy: 'skip' } } }, { session: { agentToAgent: { maxPingPongTurns: 2 } } }, { models: { providers: { fake: { models: [{ id: 'model', contextWindow: 1000 }] } } } },
  { tools: { media: { audio: { language: 'de', echoTranscript: true } } } }, { agent: { model: 'fake/other' } }, { meta: { lastTouchedAt: 'now' } }, {}, { tools: { deny: ['gateway_x'] } }, { messages: { responsePrefix: null } },
];

describe('a turn may not change what limits it', () => {
  it(`(T180) refused: ${REFUSED.length} patches, and the file stays`, async () => {
    for (const [patch, path] of REFUSED) {
      await using s = await stage();
      const before = await readFile(s.file, 'utf8');
      await assert.rejects(s.store.patch(patch, s.store.snapshot().hash, refuse), (error: AppError) => {
        assert.equal(error.code, 'denied', `${JSON.stringify(patch)}: ${error.message}`);
        // What is unset takes emptied blocks along: then the block is named.
        assert.ok(error.message.startsWith(path) || path.startsWith(`${error.message.split(' ')[0]}.`), `${JSON.stringify(patch)}: ${error.message}`);
        return true;
      }, JSON.stringify(patch));
      assert.equal(await readFile(s.file, 'utf8'), before, JSON.stringify(patch));
    }
  });

  it(`(T180) allowed: ${ALLOWED.length} patches`, async () => {
    for (const patch of ALLOWED) {
      await using s = await stage();
      const { valid } = await s.store.patch(patch, s.store.snapshot().hash, refuse);
      assert.ok(valid, JSON.stringify(patch));
    }
  });

  it('nor by a whole new document: included files, variables, doubled names, another order', async () => {
    const without = (from: string, to: string): string => {
      assert.ok(BASE.includes(from));
      return BASE.replace(from, to);
    };
    const documents: readonly (readonly [document: string, path: RegExp])[] = [
      ['{}', /^(agents|tools|channels)/], [without("deny: ['gateway_x'], ", ''), /^tools\.deny/], [without("tools: { deny: ['gateway_x']", "tools: { deny: [], deny: []"), /^tools\.deny/],
      [without('// mine', "$include: './more.json5',"), /^\$include/], [without("plugins: { deny: ['bad'] }", "plugins: { $include: './more.json5', deny: ['bad'] }"), /^\$include/], [without("model: 'fake/model',", "model: 'fake/model', userTimezone: { $include: './more.json5' },"), /^(\$include|.*not valid)/],
      [without("name: 'Work'", "name: '${OPENAI_API_KEY}'"), /^agents\.list\[1\]\.name would read/], [without("botToken: '${TG}'", "botToken: '1:abc'"), /^channels\.telegram\.botToken/], [without("token: 'secret-token-of-some-length'", "token: '${TG}'"), /^gateway\.auth\.token/],
      [`${BASE.slice(0, -1)} tools: { exec: { security: 'full' } } }`, /^tools/],
    ];
    for (const [document, path] of documents) {
      await using s = await stage();
      await assert.rejects(s.store.replace(document, s.store.snapshot().hash, refuse), (error: AppError) => {
        assert.match(error.code === 'denied' ? error.message : `invalid: not valid ${error.message}`, error.code === 'denied' ? path : /not valid/, document);
        return true;
      }, document);
      assert.equal(await readFile(s.file, 'utf8'), BASE);
    }
    await using s = await stage();
    await s.store.replace(without('// mine', '// ours').replace("name: 'Work'", "name: 'Office'"), s.store.snapshot().hash, refuse);
    assert.equal(s.store.current().agents.list[1]!.name, 'Office');
  });

  it('nor move what an included file decides', async () => {
    await using s = await stage(BASE.replace("plugins: { deny: ['bad'] }", "messages: { $include: './more.json5' }"));
    await assert.rejects(s.store.replace(BASE.replace("plugins: { deny: ['bad'] }", "commands: { $include: './more.json5' }"), s.store.snapshot().hash, refuse), { code: 'denied', message: /^\$include/ });
  });

  it('nor repair, and open, a file that is not in force', async () => {
    await using s = await stage(BASE.replace("security: 'allowlist'", "security: 'wide'"));
    await assert.rejects(s.store.patch({ tools: { exec: { security: 'allowlist' } } }, s.store.snapshot().hash, refuse), { code: 'denied', message: /nobody can tell/ });
  });
});

describe('the lists', () => {
  it('name every section of the configuration', () => {
    const named = new Set([...GUARDS.map(([pattern]) => pattern), ...OPEN].map((pattern) => pattern.split('.')[0]));
    const undecided = Object.keys(configSchema.shape).filter((section) => !named.has(section));
    assert.deepEqual(undecided, [], 'a section nobody has decided about is guarded; say why in GUARDS, or open what is harmless');
  });

  it('never open what they guard', () => {
    const covers = (open: readonly string[], guard: readonly string[]): boolean => open.length <= guard.length && open.every((part, index) => part === guard[index] || part === '*' || guard[index] === '*');
    for (const [pattern] of GUARDS) for (const open of OPEN) assert.ok(!covers(open.split('.'), pattern.split('.')), `${open} opens ${pattern}`);
  });

  it('judge a patch for another gateway by its names alone', () => {
    const judged = (patch: unknown): readonly string[] => guardedSettings(migrate(patch).value).map(({ path }) => path);
    assert.deepEqual(judged({ messages: { responsePrefix: 'x' } }), []);
    assert.deepEqual(judged({ tools: null }), ['tools']);
    assert.deepEqual(judged({ agent: { bash: { ask: 'off' } } }), ['tools.exec.ask']);
    assert.deepEqual(judged({ gateway: {} }), ['gateway']);
    assert.deepEqual(judged({ messages: { responsePrefix: '${OPENAI_API_KEY}' } }), ['messages.responsePrefix'], 'every answer there would begin with the key');
    assert.deepEqual(judged({ messages: { groupChat: { $include: '/etc/passwd' } } }), ['$include']);
    assert.deepEqual(judged(JSON.parse('{"messages":{"queue":{"__proto__":{"mode":"x"}}}}')), ['__proto__']);
  });

  it('know keys that are no settings, however deep', () => {
    assert.equal(strangeKey(JSON.parse('{"a":[{"__proto__":{"x":1}}]}')), '__proto__');
    for (const key of ['constructor', 'prototype', '$include']) assert.equal(strangeKey({ a: { [key]: 1 } }), key);
    assert.equal(strangeKey({ a: [1, { b: null }] }), undefined);
  });
});
