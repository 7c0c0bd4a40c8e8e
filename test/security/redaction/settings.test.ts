// The displayed configuration: every secret is hidden, everything else is readable, and saving restores hidden values.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import JSON5 from 'json5';
import { openConfig } from '../../../src/cli/config-file.ts';
import { REDACTED } from '../../../src/config/redact.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';
import { ADDRESSES_PLANTED, alnum, LONE_KEYS, PLANTED } from './shapes.ts';

async function open(t: TestContext, config: string | object) {
  const dir = await tempDir();
  const file = join(dir.path, 'clawdbot.json');
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config), { mode: 0o600 });
  const store = await openConfig(readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path }));
  t.after(async () => {
    await store[Symbol.asyncDispose]();
    await dir[Symbol.asyncDispose]();
  });
  return { store, read: async () => JSON5.parse<any>(await readFile(file, 'utf8')) };
}

/** Under keys that no schema marks. */
const places = (secret: string, index: number): object =>
  [
    { mcp: { servers: { x: { env: { FOO: secret } } } } },
    { mcp: { servers: { x: { command: 'x', args: ['--header', `Authorization: Bearer ${secret}`] } } } },
    { mcp: { servers: { x: { url: `https://e.example.com/?key=${secret}` } } } },
    { agents: { list: [{ id: 'a', identity: { note: secret } }] } },
    { plugins: { entries: { y: { config: { list: ['a', secret, 'b'] } } } } },
    { mcp: { servers: { x: { headers: { 'X-Mine': secret } } } } },
  ][index % 6]!;

test('a secret is hidden under a key that nobody marked', async (t) => {
  const cases = [...LONE_KEYS, ...PLANTED.filter(({ name }) => !name.includes(' in '))];
  const merged = Object.fromEntries(
    cases.map(({ text, secret }, index) => [
      `part${index}`,
      index < LONE_KEYS.length ? places(secret, index) : { note: text },
    ]),
  );
  const { store } = await open(t, { mine: merged });
  const shown = JSON.stringify([store.redacted(), Object.keys(merged).map((key) => store.explain(`mine.${key}`))]);
  assert.deepEqual(
    cases.filter(({ secret }) => shown.includes(secret)).map(({ name }) => name),
    [],
  );
  t.diagnostic(`settings: ${cases.length}/${cases.length} hidden under unmarked keys`);
});

const NAMED = {
  Authorization: 'hunter',
  'x-api-key': 'hunter',
  accessKey: 'hunter',
  signing_key: 'hunter',
  oauth2Token: 'hunter',
  passwd: 'hunter',
  apiKeys: ['hunter'],
  MY_KEY: 'hunter',
  DB_PASS: 'hunter',
  cookie: 'hunter',
  connectionString: 'hunter',
};
const ARGS = {
  a: { args: ['--token', 'hunter'] },
  b: { args: ['-H', 'X-Api-Key: hunter'] },
  c: { command: 'mysql', args: ['-uroot', '-phunter'] },
  d: { command: 'docker', args: ['login', '-u', 'me', '-p', 'hunter'] },
  e: { command: 'curl', args: ['-u', 'me:hunter', 'x'] },
  f: { args: ['--password=hunter'] },
};

test('names and neighbours tell what a value is, also one by one', async (t) => {
  const { store } = await open(t, { mine: { ...NAMED, ...ARGS } });
  assert.ok(!JSON.stringify(store.redacted()).includes('hunter'), JSON.stringify(store.redacted().parsed));
  for (const [name, { args }] of Object.entries(ARGS))
    for (const index of args.keys())
      assert.doesNotMatch(JSON.stringify(store.explain(`mine.${name}.args[${index}]`)), /hunter/);
});

test('what is no secret is shown as it is', async (t) => {
  const plain = {
    mcp: {
      servers: {
        x: {
          command: '/usr/bin/x',
          args: ['--verbose', '--port', '8080', '--header', 'Authorization: Bearer ${TOKEN}'],
          env: { NODE_ENV: 'production', LANG: 'en_US.UTF-8', HOME: '/home/me', TOKEN: '${TOKEN}', DEBUG: '1' },
          url: 'https://e.example.com/mcp?lang=en',
        },
      },
    },
    notes: [
      'agent:main:main',
      'anthropic/claude-opus-4-5',
      '0b8e3c1e-6a1b-4f0e-9a1a-0b8e3c1e6a1b',
      'C0123ABCD',
      'the key to success',
    ],
    maxTokens: 4096,
    tokenBudget: 'low',
    sessionKey: 'agent:main:main',
    apiKeyName: 'OPENAI',
  };
  const { store } = await open(t, plain);
  assert.deepEqual(store.redacted().parsed, plain);
});

const [ONE, TWO, THREE] = ['one', 'two', 'three'].map((seed) => alnum(seed, 30)) as [string, string, string];
const KEPT = {
  gateway: { auth: { token: ONE } },
  mcp: {
    servers: {
      x: { url: `https://e.example.com/?key=${TWO}`, args: ['--header', `Authorization: Bearer ${THREE}`, '-v'] },
    },
  },
  agents: {
    list: [
      { id: 'a', name: 'A', note: `sk-${ONE}` },
      { id: 'b', name: 'B', note: `sk-${TWO}` },
    ],
  },
};

test('what was hidden comes back as it was: from config.get to config.set and config.patch, in lists too', async (t) => {
  const { store, read } = await open(t, KEPT);
  const { raw, hash } = store.redacted();
  assert.equal(raw.split(REDACTED).length - 1, 5);
  await store.replace(raw.replace('"-v"', '"-q"').replace('"name":"A"', '"name":"Anna"'), hash);
  const saved = structuredClone(KEPT) as typeof KEPT;
  saved.mcp.servers.x.args[2] = '-q';
  saved.agents.list[0]!.name = 'Anna';
  assert.deepEqual(await read(), saved);

  const shown = store.redacted().parsed as typeof KEPT;
  const [a, b] = shown.agents.list;
  await store.patch({
    agents: { list: [b, { ...a, name: 'Ada' }, { id: 'c' }] },
    mcp: { servers: { x: { ...shown.mcp.servers.x, args: ['-n', ...shown.mcp.servers.x.args] } } },
  });
  saved.agents.list = [saved.agents.list[1]!, { ...saved.agents.list[0]!, name: 'Ada' }, { id: 'c' } as never];
  saved.mcp.servers.x.args.unshift('-n');
  assert.deepEqual(await read(), saved);
});

test('a mark that stands where nothing was hidden, or where two could be meant, is refused and nothing is written', async (t) => {
  const twice = { mcp: { servers: { x: { args: ['--token', ONE, '--secret', TWO] } } } };
  const { store, read } = await open(t, twice);
  for (const patch of [
    { gateway: { auth: { token: REDACTED } } },
    { mcp: { servers: { y: { args: ['--token', REDACTED] } } } },
    { mcp: { servers: { x: { args: ['--secret', REDACTED] } } } },
    { mcp: { servers: { x: { env: { A: `Bearer ${REDACTED}` } } } } },
  ])
    await assert.rejects(store.patch(patch), { code: 'invalid', message: /marker/ }, JSON.stringify(patch));
  await assert.rejects(store.replace(`// ${REDACTED}\n{}`), { code: 'invalid', message: /marker/ });
  assert.deepEqual(await read(), twice);
});

test('addresses are hidden as a whole', async (t) => {
  const { store } = await open(t, { mine: ADDRESSES_PLANTED.map(({ text }) => ({ url: text })) });
  const shown = (store.redacted().parsed as { mine: { url: string }[] }).mine;
  assert.deepEqual(
    ADDRESSES_PLANTED.filter((_, index) => shown[index]!.url !== REDACTED).map(({ name }) => name),
    [],
  );
});
