/** Changes a turn may not make, however they are spelled; and the ones it may. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLog } from '../core/log.ts';
import { AppError } from '../core/errors.ts';
import { readEnv } from '../platform/env.ts';
import { configSchema, settingRules } from '../testing/whole-schema.ts';
import type { Config } from '../schema.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfigStore } from './create-store.ts';
import { GUARDS, guardedChanges, guardedSettings, OPEN, unsafeKey } from './guarded-paths.ts';
import { migrate } from './migrate.ts';
import type { ChangeGuard, ConfigStore } from './store.ts';
import { REFUSED, ALLOWED } from '../testing/guarded-patches.ts';

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
  const [first] = guardedChanges(change, settingRules);
  if (first) throw new AppError('denied', `${first.path} ${first.why}`);
};

async function harness(base = BASE): Promise<{ store: ConfigStore<Config>; file: string } & AsyncDisposable> {
  const dir = await tempDir('guarded');
  const file = join(dir.path, 'clawdbot.json');
  await writeFile(file, base);
  await writeFile(join(dir.path, 'more.json5'), '{}');
  const env = readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path, TG: '1:abc', OPENAI_API_KEY: 'sk-live' });
  const store = await createConfigStore<Config>({ schema: configSchema, rules: settingRules, env, log: silentLog });
  return {
    store,
    file,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe('a turn may not change what limits it', () => {
  it(`(T180) refused: ${REFUSED.length} patches, and the file stays`, async () => {
    await using s = await harness();
    const before = await readFile(s.file, 'utf8');
    for (const [patch, path] of REFUSED) {
      await assert.rejects(
        s.store.patch(patch, s.store.snapshot().hash, refuse),
        (error: AppError) => {
          assert.equal(error.code, 'denied', `${JSON.stringify(patch)}: ${error.message}`);
          // What is unset takes emptied blocks along: then the block is named.
          assert.ok(
            error.message.startsWith(path) || path.startsWith(`${error.message.split(' ')[0]}.`),
            `${JSON.stringify(patch)}: ${error.message}`,
          );
          return true;
        },
        JSON.stringify(patch),
      );
      assert.equal(await readFile(s.file, 'utf8'), before, JSON.stringify(patch));
    }
  });

  it(`(T180) allowed: ${ALLOWED.length} patches`, async () => {
    for (const patch of ALLOWED) {
      await using s = await harness();
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
      ['{}', /^(agents|tools|channels)/],
      [without("deny: ['gateway_x'], ", ''), /^tools\.deny/],
      [without("tools: { deny: ['gateway_x']", 'tools: { deny: [], deny: []'), /^tools\.deny/],
      [without('// mine', "$include: './more.json5',"), /^\$include/],
      [without("plugins: { deny: ['bad'] }", "plugins: { $include: './more.json5', deny: ['bad'] }"), /^\$include/],
      [
        without("model: 'fake/model',", "model: 'fake/model', userTimezone: { $include: './more.json5' },"),
        /^(\$include|.*not valid)/,
      ],
      [without("name: 'Work'", "name: '${OPENAI_API_KEY}'"), /^agents\.list\[1\]\.name would read/],
      [without("botToken: '${TG}'", "botToken: '1:abc'"), /^channels\.telegram\.botToken/],
      [without("token: 'secret-token-of-some-length'", "token: '${TG}'"), /^gateway\.auth\.token/],
      [`${BASE.slice(0, -1)} tools: { exec: { security: 'full' } } }`, /^tools/],
    ];
    for (const [document, path] of documents) {
      await using s = await harness();
      await assert.rejects(
        s.store.replace(document, s.store.snapshot().hash, refuse),
        (error: AppError) => {
          assert.match(
            error.code === 'denied' ? error.message : `invalid: not valid ${error.message}`,
            error.code === 'denied' ? path : /not valid/,
            document,
          );
          return true;
        },
        document,
      );
      assert.equal(await readFile(s.file, 'utf8'), BASE);
    }
    await using s = await harness();
    await s.store.replace(
      without('// mine', '// ours').replace("name: 'Work'", "name: 'Office'"),
      s.store.snapshot().hash,
      refuse,
    );
    assert.equal(s.store.current().agents.list[1]!.name, 'Office');
  });

  it('nor move what an included file decides', async () => {
    await using s = await harness(BASE.replace("plugins: { deny: ['bad'] }", "messages: { $include: './more.json5' }"));
    await assert.rejects(
      s.store.replace(
        BASE.replace("plugins: { deny: ['bad'] }", "commands: { $include: './more.json5' }"),
        s.store.snapshot().hash,
        refuse,
      ),
      { code: 'denied', message: /^\$include/ },
    );
  });

  it('nor repair, and open, a file that is not in force', async () => {
    await using s = await harness(BASE.replace("security: 'allowlist'", "security: 'wide'"));
    await assert.rejects(
      s.store.patch({ tools: { exec: { security: 'allowlist' } } }, s.store.snapshot().hash, refuse),
      { code: 'denied', message: /nobody can tell/ },
    );
  });
});

describe('the lists', () => {
  const [ALL, OPENED] = [
    [...settingRules.guards, ...GUARDS],
    [...settingRules.open, ...OPEN],
  ];

  it('name every section of the configuration', () => {
    const named = new Set([...ALL.map(([pattern]) => pattern), ...OPENED].map((pattern) => pattern.split('.')[0]));
    const undecided = Object.keys(configSchema.shape).filter((section) => !named.has(section));
    assert.deepEqual(
      undecided,
      [],
      'a section nobody has decided about is guarded; say why in GUARDS, or open what is harmless',
    );
  });

  it('never open what they guard', () => {
    const covers = (open: readonly string[], guard: readonly string[]): boolean =>
      open.length <= guard.length &&
      open.every((part, index) => part === guard[index] || part === '*' || guard[index] === '*');
    for (const [pattern] of ALL)
      for (const open of OPENED) assert.ok(!covers(open.split('.'), pattern.split('.')), `${open} opens ${pattern}`);
  });

  it('judge a patch for another gateway by its names alone', () => {
    const evaluated = (patch: unknown): readonly string[] =>
      guardedSettings(migrate(patch, settingRules).value, settingRules).map(({ path }) => path);
    assert.deepEqual(evaluated({ messages: { responsePrefix: 'x' } }), []);
    assert.deepEqual(evaluated({ tools: null }), ['tools']);
    assert.deepEqual(evaluated({ agent: { bash: { ask: 'off' } } }), ['tools.exec.ask']);
    assert.deepEqual(evaluated({ gateway: {} }), ['gateway']);
    assert.deepEqual(
      evaluated({ messages: { responsePrefix: '${OPENAI_API_KEY}' } }),
      ['messages.responsePrefix'],
      'every answer there would begin with the key',
    );
    assert.deepEqual(evaluated({ messages: { groupChat: { $include: '/etc/passwd' } } }), ['$include']);
    assert.deepEqual(evaluated(JSON.parse('{"messages":{"queue":{"__proto__":{"mode":"x"}}}}')), ['__proto__']);
  });

  it('know keys that are no settings, however deep', () => {
    assert.equal(unsafeKey(JSON.parse('{"a":[{"__proto__":{"x":1}}]}')), '__proto__');
    for (const key of ['constructor', 'prototype', '$include']) assert.equal(unsafeKey({ a: { [key]: 1 } }), key);
    assert.equal(unsafeKey({ a: [1, { b: null }] }), undefined);
  });
});
