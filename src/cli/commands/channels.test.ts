/** `channels …`: what stands in the file afterwards, and what a person reads. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import JSON5 from 'json5';
import { present } from '../../core/present.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { runCli } from '../cli.ts';
import { type Answers, fakeTerminal } from '../fake.ts';

/** Somebody's channel, so that nothing here depends on which ones come along. */
const PLUGIN = `import { z } from '${import.meta.resolve('zod')}';
const pigeon = {
  id: 'pigeon', label: 'Pigeon', blurb: 'Letters.', order: 1, aliases: ['dove'], connect() {}, parseTarget() {},
  config: z.looseObject({ botToken: z.string().optional(), lofts: z.array(z.string()).optional() }),
  credentials: [{ key: 'botToken', label: 'Bot token', fileKey: 'tokenFile', env: 'PIGEON_TOKEN' }],
    setup: [{ key: 'lofts', label: 'Lofts', list: true }],
  actions: [{ name: 'feed', summary: 'Give grain.', parameters: {} }, { name: 'release', summary: 'Let go.',
    parameters: {}, offByDefault: true }],
  capabilities: { chats: ['direct'], threads: false, edit: false, react: true, typing: false, media: false,
    voice: false, markdown: 'none', maxTextLength: 100, idempotentSend: false, deliverable: true },
};
${'export'} default pigeon;`;

async function home(t: TestContext, channels = '{}') {
  const dir = await tempDir('channels-cli');
  t.after(() => dir[Symbol.asyncDispose]());
  const plugin = join(dir.path, 'pigeon.mjs');
  await writeFile(plugin, PLUGIN);
  const file = join(dir.path, '.clawdbot', 'clawdbot.json');
  await mkdir(join(dir.path, '.clawdbot'), { mode: 0o700 });
  await writeFile(
    file,
    `// mine\n{ plugins: { load: { paths: [${JSON.stringify(plugin)}] } }, channels: ${channels} }\n`,
    { mode: 0o600 },
  );
  const run = async (
    argv: string,
    { answers, vars = {}, stdin = '' }: { answers?: Answers; vars?: Record<string, string>; stdin?: string } = {},
  ) => {
    const io = fakeTerminal({ ...present({ answers }), stdin, vars: { HOME: dir.path, ...vars } });
    return {
      code: await runCli(argv.split(' '), io),
      out: io.lines.join('\n'),
      err: io.errors.join('\n'),
      requests: io.requests,
      connects: io.connects,
    };
  };
  const pigeon = async () =>
    JSON5.parse<{ channels: Record<string, unknown> }>(await readFile(file, 'utf8')).channels['pigeon'];
  return { run, file, pigeon };
}

test('channels add writes what is given, keeps comments, and says how strangers get in', async (t) => {
  const { run, file, pigeon } = await home(t);
  const { code, out, err } = await run('channels add --channel dove --token 123:test-token --lofts a,b --name Home');
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /botToken, lofts, name written to channels\.pigeon[\s\S]*pairing approve pigeon/);
  assert.doesNotMatch(out, /123:test-token/);
  assert.deepEqual(await pigeon(), { botToken: '123:test-token', lofts: ['a', 'b'], name: 'Home' });
  assert.match(await readFile(file, 'utf8'), /^\/\/ mine/);
});

test(
  'channels add gives a named account a section of its own, reads a secret from standard input, and turns on ' +
    'what was off',
  async (t) => {
    const { run, pigeon } = await home(t, '{ pigeon: { enabled: false } }');
    assert.equal(
      (await run('channels add --channel pigeon --account Biz --bot-token -', { stdin: 'from-stdin\n' })).code,
      0,
    );
    assert.deepEqual(await pigeon(), { enabled: true, accounts: { biz: { botToken: 'from-stdin' } } });
  },
);

test('channels add asks for what is needed, and takes the environment', async (t) => {
  const { run, pigeon } = await home(t);
  const { code, err } = await run('channels add --channel pigeon');
  assert.equal(code, 1);
  assert.match(err, /Pigeon needs Bot token \(--bot-token\), or --use-env with PIGEON_TOKEN/);
  assert.equal((await run('channels add --channel pigeon --use-env')).code, 0);
  assert.deepEqual(await pigeon(), { enabled: true });
  assert.match((await run('channels add --channel pigeon --use-env --account biz')).err, /default account/);
});

test("channels add keeps the platform's secret from the gateway, and says when there was nothing to do", async (t) => {
  const { run } = await home(t);
  const { code, out, connects } = await run('channels add --channel pigeon --token 123:test-token --probe', {
    answers: { 'config.get': {}, 'channels.restart': { connected: true } },
  });
  assert.deepEqual([code, connects.map(({ token }) => token)], [0, [undefined]]);
  assert.match(out, /pigeon is connected/);
  assert.match((await run('channels add --channel pigeon')).out, /already configured/);
});

test('channels remove turns off, and with --delete forgets one account only', async (t) => {
  const { run, pigeon } = await home(t, '{ pigeon: { accounts: { a: { botToken: "a" }, b: { botToken: "b" } } } }');
  await run('channels remove --channel pigeon --account a');
  assert.deepEqual(await pigeon(), { accounts: { a: { botToken: 'a', enabled: false }, b: { botToken: 'b' } } });
  await run('channels remove --channel pigeon --account a --delete');
  assert.deepEqual(await pigeon(), { accounts: { b: { botToken: 'b' } } });
  assert.match((await run('channels remove --channel pigeon --account c')).err, /Accounts: b/);
});

test('channels list, capabilities and login know what configuration and environment say, never a secret', async (t) => {
  const { run } = await home(t, '{ pigeon: { actions: { feed: false } } }');
  assert.match((await run('channels list')).out, /^pigeon\s+incomplete \(default\)\s+Letters\.$/m);
  const listed = await run('channels list --json', { vars: { PIGEON_TOKEN: '123:test-token' } });
  assert.deepEqual(JSON.parse(listed.out)[0].accounts, [
    { accountId: 'default', enabled: true, configured: true, credentialSources: { botToken: 'env' } },
  ]);
  assert.doesNotMatch(listed.out, /123:test-token/);
  assert.match(
    (await run('channels capabilities dove')).out,
    /feed: Give grain\.[\s\S]*release: Let go\. \(off; channels\.pigeon\.actions\.release\)/,
  );
  assert.match(
    (await run('channels login --channel pigeon')).out,
    /Bot token: channels\.pigeon\.botToken, or channels\.pigeon\.tokenFile, or the environment variable PIGEON_TOKEN/,
  );
});

const account = {
  accountId: 'default',
  enabled: true,
  configured: true,
  running: true,
  connected: false,
  reconnectAttempts: 2,
  lastError: 'refused',
  problems: [{ kind: 'auth', message: 'The token is refused.', fix: 'Get a new one.' }],
  credentialSources: { botToken: 'file' },
};
const answer = {
  channelOrder: ['pigeon', 'other'],
  channels: { pigeon: { ok: false, summary: 'Pigeon: failed (default) - refused' }, other: { ok: true, summary: '' } },
  channelAccounts: { pigeon: [account], other: [] },
};

test('channels status shows each account, what is wrong and how to mend it', async (t) => {
  const { run } = await home(t);
  const { code, out, requests } = await run('channels status --probe', { answers: { 'channels.status': answer } });
  assert.equal(code, 0);
  assert.match(out, /pigeon\s+default\s+reconnecting \(2\)\s+botToken: file, refused\n/);
  assert.match(
    out,
    /Not configured: other\.\ndegraded: Pigeon: failed \(default\) - refused\npigeon\/default auth: The token is refused\. Get a new one\./,
  );
  assert.deepEqual(requests, [{ method: 'channels.status', params: { probe: true } }]);
  const once = {
    ...answer,
    channels: { pigeon: { ok: false, summary: 'Pigeon: failed (default) - The token is refused.' } },
    channelOrder: ['pigeon'],
    channelAccounts: { pigeon: [{ ...account, lastError: 'The token is refused.', probe: { ok: true, ms: 5 } }] },
  };
  const reported = (await run('channels status', { answers: { 'channels.status': once } })).out;
  assert.equal(reported.match(/The token is refused/g)?.length, 1, 'the same is not said three times');
  assert.doesNotMatch(reported, /probe ok/, 'an older probe does not contradict it');
  assert.equal((await run('channels status')).code, 1, 'no gateway');
});

test('channels logout and restart go through the gateway', async (t) => {
  const { run } = await home(t);
  const left = await run('channels logout --channel pigeon', {
    answers: { 'channels.logout': { cleared: false, loggedOut: false, kept: ['PIGEON_TOKEN'] } },
  });
  assert.match(left.out, /no secret to remove[\s\S]*PIGEON_TOKEN/);
  const restarted = await run('channels restart --channel pigeon --account biz', {
    answers: { 'channels.restart': { connected: false, lastError: 'It is refused.' } },
  });
  assert.match(restarted.out, /is not connected: It is refused\.$/);
  assert.deepEqual([restarted.code, restarted.requests[0]!.params], [1, { channel: 'pigeon', accountId: 'biz' }]);
});

test('the doctor names the worst problem of a channel and its cure', async (t) => {
  const { run } = await home(t, '{ pigeon: {} }');
  const found = async (answers?: Answers) =>
    JSON.parse((await run('doctor --json', answers ? { answers } : {})).out).find(
      ({ name }: { name: string }) => name === 'channels',
    );
  assert.deepEqual(await found(), {
    name: 'channels',
    level: 'warn',
    detail: 'pigeon: incomplete (default)',
    fix: 'Run `clawdbot channels add --channel pigeon`.',
  });
  const running = { 'channels.status': answer };
  assert.deepEqual(await found(running), {
    name: 'channels',
    level: 'fail',
    detail: 'pigeon/default: The token is refused.',
    fix: 'Get a new one.',
  });
});
