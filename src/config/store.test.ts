import assert from 'node:assert/strict';
import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Log, LogFields } from '../core/log.ts';
import { readEnv } from '../platform/env.ts';
import { ensureDir, listDir, readTextIfExists, statIfExists } from '../platform/files.ts';
import { readGatewayAddress } from './gateway-address.ts';
import { REDACTED } from './redact.ts';
import type { ConfigSnapshot, ConfigStore } from './store.ts';
import { harness, type Config } from '../testing/config-harness.ts';
import { until as poll } from '../testing/until.ts';

/** The next time the store tells of a change. */
function nextChange(store: ConfigStore<Config>): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const stop = store.subscribe((_next, _previous, changed) => {
      stop();
      resolve(changed);
    });
  });
}

/** Resolves once the running configuration is as wanted. */
function until(store: ConfigStore<Config>, wanted: (config: Config) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!wanted(store.current())) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(check);
    check();
  });
}

function recording(): { log: Log; lines: { event: string; fields: LogFields }[] } {
  const lines: { event: string; fields: LogFields }[] = [];
  const add = (event: string, fields: LogFields = {}): void => void lines.push({ event, fields });
  const log: Log = { debug() {}, info: add, warn: add, error: add, child: () => log };
  return { log, lines };
}

test('no file: defaults, valid, nothing wrong', async () => {
  await using b = await harness();
  const store = await b.open();
  const snapshot = store.snapshot();
  assert.deepEqual(
    [snapshot.exists, snapshot.valid, snapshot.source, snapshot.safeMode, snapshot.hash, snapshot.path],
    [false, true, 'defaults', false, '', b.file],
  );
  assert.equal(store.current().gateway.port, 18_789);
});

test('JSON5, include and environment make one frozen configuration', async () => {
  await using b = await harness();
  await b.put(`{ auth: { token: '\${TOK}' } }`, 'gw.json5');
  await b.put(`// mine\n{ gateway: { $include: './gw.json5', port: 1, }, }`);
  const store = await b.open({}, { TOK: 'abc' });
  assert.deepEqual(store.current().gateway, { port: 1, bind: 'loopback', auth: { token: 'abc' } });
  assert.deepEqual(store.snapshot().parsed, { gateway: { auth: { token: '${TOK}' }, port: 1 } });
  assert.throws(() => {
    (store.current().gateway as { port: number }).port = 2;
  }, TypeError);
  assert.throws(() => {
    (store.current().agents.list as unknown[]).push(1);
  }, TypeError);
});

test('the environment names the file; a file of an earlier name is found', async () => {
  await using b = await harness();
  const elsewhere = await b.put('{ gateway: { port: 5 } }', 'else.json5');
  await b.put('{ gateway: { port: 6 } }', 'openclaw.json');
  assert.equal((await b.open()).current().gateway.port, 6);
  assert.equal((await b.open({}, { CLAWDBOT_CONFIG_PATH: elsewhere })).current().gateway.port, 5);
  await b.put('{ gateway: { port: 7 } }');
  assert.equal((await b.open()).current().gateway.port, 7);
});

test('variables of the file fill gaps of the environment', async () => {
  await using b = await harness();
  await b.put(
    `{ env: { INLINE: 'i', TAKEN: 'file', vars: { VAR: 'v', FROM: '\${OUTER}' } }, gateway: { auth: { token: ` +
      `'\${INLINE}\${VAR}\${TAKEN}\${FROM}' } } }`,
  );
  const store = await b.open({}, { TAKEN: 'process', OUTER: '${VAR}' });
  assert.equal(store.current().gateway.auth.token, 'ivprocess${VAR}');
});

test('an unknown key warns with the name it was meant to be', async () => {
  await using b = await harness();
  await b.put(
    `{ gatway: {}, gateway: { token: 'x', prt: 1 }, agents: { list: [{ id: 'a', nmae: 'x' }] }, ` +
      'somethingElse: 1, browser: {}, gateway2: 1 }',
  );
  const { warnings, valid } = (await b.open()).snapshot();
  assert.equal(valid, true);
  const fixes = Object.fromEntries(warnings.map(({ path, fix }) => [path, fix]));
  assert.equal(fixes['gatway'], 'Did you mean "gateway"?');
  assert.equal(fixes['gateway.token'], 'Did you mean "gateway.auth.token"?');
  assert.equal(fixes['gateway.prt'], 'Did you mean "gateway.port"?');
  assert.equal(fixes['agents.list[0].nmae'], 'Did you mean "agents.list[0].name"?');
  assert.match(fixes['somethingElse'] ?? '', /Remove it/);
  assert.match(warnings.find(({ path }) => path === '')?.problem ?? '', /does not use: browser$/);
});

test('an invalid value names path, problem and fix, and never itself', async () => {
  await using b = await harness();
  const cases: [text: string, path: string, problem: RegExp, fix: RegExp][] = [
    [
      `{ gateway: { port: 'hunter2' } }`,
      'gateway.port',
      /is text but must be a number/,
      /whole number from 0 to 65535 \(The port\)/,
    ],
    [`{ gateway: { port: 70000 } }`, 'gateway.port', /most is 65535/, /0 to 65535/],
    [
      `{ gateway: { bind: 'lann' } }`,
      'gateway.bind',
      /none of the values/,
      /Did you mean "lan"\? Use one of: loopback, lan\./,
    ],
    [`{ gateway: [] }`, 'gateway', /is a list but must be an object/, /object/],
    [`{ agents: { list: [{}] } }`, 'agents.list[0].id', /is missing/, /text/],
    [`{ agents: { defaults: { model: 7 } } }`, 'agents.defaults.model', /is a number/, /text or an object/],
    [
      `{ agents: { defaults: { model: { primary: 7 } } } }`,
      'agents.defaults.model.primary',
      /is a number but must be text/,
      /text/,
    ],
    [`{ gateway: { auth: { token: '\${NOT_SET}' } } }`, 'gateway.auth.token', /NOT_SET is missing/, /env\.vars/],
    [`{ gateway: { port: 1, `, '', /line 1, column/, /Correct the text/],
  ];
  for (const [text, path, problem, fix] of cases) {
    await b.put(text);
    const { issues, valid } = (await b.open()).snapshot();
    assert.equal(valid, false, text);
    assert.equal(issues[0]?.path, path, text);
    assert.match(issues[0].problem, problem, text);
    assert.match(issues[0].fix ?? '', fix, text);
    assert.ok(!JSON.stringify(issues).includes('hunter2'));
  }
});

test('invalid at start without an earlier good one: safe mode, still where people look for it', async () => {
  await using b = await harness();
  const { log, lines } = recording();
  await b.put(`{ gateway: { port: 4242 }, agents: { list: 'x' }, channels: { telegram: {} } }`);
  const store = await b.open({ log });
  const { valid, source, safeMode, config } = store.snapshot();
  assert.deepEqual([valid, source, safeMode], [false, 'defaults', true]);
  assert.equal(config.gateway.port, 4242, 'a section that is right by itself holds');
  assert.deepEqual(config.channels, {}, 'nothing else does');
  assert.ok(lines.some(({ event, fields }) => event === 'config.invalid' && fields['path'] === 'agents.list'));
  assert.ok(
    lines.some(({ event, fields }) => event === 'config.fallback' && /safe mode/.test(String(fields['runsOn']))),
  );
  await b.put(`{ gateway: { port: 'x' }, logging: 3 }`);
  assert.equal((await store.reload()).safeMode, true);
  await b.put(`{ gateway: { port: 9 } }`);
  const repaired = await store.reload();
  assert.deepEqual(
    [repaired.valid, repaired.source, repaired.safeMode, repaired.config.gateway.port],
    [true, 'file', false, 9],
  );
});

test('invalid at start after a good one: the last good configuration, which holds no resolved secret', async () => {
  await using b = await harness();
  await b.put(`{ gateway: { port: 7, auth: { token: '\${TOK}' } } }`);
  await (await b.open({}, { TOK: 'resolved-secret' }))[Symbol.asyncDispose]();
  const copy = join(b.dir, 'config', 'last-good.json');
  assert.ok(!(await readTextIfExists(copy))?.includes('resolved-secret'));
  assert.equal((await statIfExists(copy))?.mode, 0o600);
  await b.put('{ gateway: ');
  const store = await b.open({}, { TOK: 'resolved-secret' });
  const { valid, source, safeMode, config } = store.snapshot();
  assert.deepEqual(
    [valid, source, safeMode, config.gateway],
    [false, 'last-good', false, { port: 7, bind: 'loopback', auth: { token: 'resolved-secret' } }],
  );
  assert.equal(store.explain('gateway.port').source, copy);
});

test('a damaged copy of the last good configuration is set aside, and safe mode holds', async () => {
  await using b = await harness();
  await ensureDir(join(b.dir, 'config'));
  await b.put('{ torn', 'config/last-good.json');
  await b.put('{ gateway: ');
  assert.equal((await b.open()).snapshot().safeMode, true);
  assert.match((await listDir(join(b.dir, 'config'))).map(({ name }) => name).join(), /corrupt/);
});

test('a running gateway whose file becomes invalid keeps what it runs on and says so', async () => {
  await using b = await harness();
  const { log, lines } = recording();
  await b.put('{ gateway: { port: 7 } }');
  const store = await b.open({ log });
  const before = store.current();
  await b.put('{ gateway: { port: "x" } }');
  const { valid, source, config, issues } = await store.reload();
  assert.deepEqual([valid, source, issues[0]?.path], [false, 'last-good', 'gateway.port']);
  assert.equal(config, before);
  assert.equal(store.current(), before);
  assert.ok(lines.some(({ event }) => event === 'config.fallback'));
});

test('a change is reported as the paths whose value differs; comments, order and meta are no change', async () => {
  await using b = await harness();
  await b.put(`{ gateway: { port: 7 }, agents: { list: [{ id: 'a' }] } }`);
  const store = await b.open();
  const calls: (readonly string[])[] = [];
  const held = store.current();
  store.subscribe((next, previous, changed) => {
    assert.equal(previous, held);
    assert.equal(next, store.current());
    calls.push(changed);
  });
  await b.put(
    `// new\n{ agents: { list: [{ id: 'a' }] }, gateway: { port: 7, bind: 'loopback' }, meta: { ` +
      `lastTouchedAt: 'now' } }`,
  );
  await store.reload();
  assert.deepEqual(calls, [], 'writing out a default changes nothing');
});

test('every changed path is named, lists as a whole, and a failing listener keeps nobody else from hearing', async () => {
  await using b = await harness();
  await b.put(`{ gateway: { port: 7 }, agents: { list: [{ id: 'a' }] } }`);
  const store = await b.open();
  const held = store.current();
  store.subscribe(() => {
    throw new Error('a listener that fails');
  });
  const change = nextChange(store);
  await b.put(`{ gateway: { port: 8, auth: { token: 't' } }, agents: { list: [{ id: 'b' }] }, meta: { x: 1 } }`);
  await store.reload();
  assert.deepEqual(await change, ['gateway.port', 'gateway.auth.token', 'agents.list']);
  assert.equal(held.gateway.port, 7, 'a turn keeps the configuration it began with');
});

test('the file is followed: written, replaced by renaming, removed, created, and included files too', async () => {
  await using b = await harness();
  await b.put('{ port: 1 }', 'gw.json');
  await b.put(`{ gateway: { $include: './gw.json' } }`);
  const store = await b.open({ watch: true });

  await b.put('{ port: 2 }', 'gw.json');
  await until(store, ({ gateway }) => gateway.port === 2);

  await b.put('{ gateway: { port: 3 } }', 'new.json');
  await rename(join(b.dir, 'new.json'), b.file);
  await until(store, ({ gateway }) => gateway.port === 3);

  await unlink(b.file);
  await poll(() => !store.snapshot().valid, 'the gateway sees that it is gone');
  assert.deepEqual(
    [store.current().gateway.port, store.snapshot().source],
    [3, 'last-good'],
    'a file that is gone changes nothing',
  );

  await b.put('{ gateway: { port: 4 } }');
  await until(store, ({ gateway }) => gateway.port === 4);
});

test('a store that does not watch keeps its configuration until it is reloaded', async () => {
  await using b = await harness();
  await b.put('{ gateway: { port: 1 } }');
  const still = await b.open({ watch: true, settleMs: () => 0, follows: ({ gateway }) => gateway.port !== 1 });
  const follower = await b.open({ watch: true, settleMs: () => 20 });
  await b.put('{ gateway: { port: 2 } }');
  await until(follower, ({ gateway }) => gateway.port === 2);
  assert.equal(still.current().gateway.port, 1);
  await still.reload();
  assert.equal(still.current().gateway.port, 2);
});

test('a broken include does not lose the files that are watched', async () => {
  await using b = await harness();
  await b.put(`{ gateway: { $include: './gw.json' } }`);
  const store = await b.open({ watch: true });
  assert.equal(store.snapshot().valid, false);
  await b.put('{ port: 2 }', 'gw.json');
  await until(store, ({ gateway }) => gateway.port === 2);
  assert.equal(store.snapshot().safeMode, false);
});

test('explain tells where a value comes from', async () => {
  await using b = await harness();
  await b.put(`{ bind: 'lan' }`, 'gw.json');
  await b.put(
    `{ gateway: { $include: './gw.json', port: 7, auth: { token: '\${TOK}' } }, agent: { workspace: '~/x' }, ` +
      `vendor: { headers: { 'x-id': 'plain-secret' } } }`,
  );
  const store = await b.open({}, { TOK: 'secret-value' });
  const reported = (path: string): unknown[] => {
    const e = store.explain(path);
    return [e.value, e.from, e.source];
  };
  assert.deepEqual(reported('gateway.port'), [7, 'file', b.file]);
  assert.deepEqual(reported('gateway.bind'), ['lan', 'include', join(b.dir, 'gw.json')]);
  assert.deepEqual(reported('gateway.auth.token'), [REDACTED, 'env', 'TOK']);
  assert.deepEqual(reported('agents.defaults.workspace'), ['~/x', 'migrated', 'agent.workspace']);
  assert.deepEqual(reported('agents.list'), [[], 'default', undefined]);
  assert.deepEqual(reported('agents.defaults.model'), [undefined, 'unset', undefined]);
  assert.deepEqual(reported('vendor.headers["x-id"]'), [REDACTED, 'file', b.file]);
  assert.deepEqual(
    [store.explain('gateway.port').default, store.explain('gateway.port').description],
    [18_789, 'The port.'],
  );
  await b.put('{ gateway: { port: "x" } }');
  await store.reload();
  assert.equal(store.explain('gateway.port').problem?.path, 'gateway.port');
});

test('the redacted snapshot shows no secret, not even in comments, and keeps references', async () => {
  await using b = await harness();
  await b.put(`{
  // token: "old-secret-one"
  gateway: { port: 7, auth: { token: 'secret"two' } }, /* secret-three */
  channels: { telegram: { botToken: "\\u0073ecret-four", url: 'https://x//y' }, slack: { appToken: '\${SLACK}' } },
  env: { vars: { ANY: 'secret-five' } }, vendor: { headers: { x: 'secret-six' } },
}`);
  const store = await b.open({}, { SLACK: 'secret-seven' });
  const shown: ConfigSnapshot<unknown> = store.redacted();
  assert.ok(!/secret[-"\\]/.test(JSON.stringify(shown)), JSON.stringify(shown, null, 1));
  assert.ok(shown.raw.includes('${SLACK}') && shown.raw.includes('https://x//y'));
  assert.equal(shown.hash, store.snapshot().hash);
  assert.equal((shown.config as Config).gateway.port, 7);
});

test('a password in an address and a secret beside a reference are hidden, a reference alone is not', async () => {
  await using b = await harness();
  await b.put(
    `{ gateway: { auth: { token: 'fixed-part-\${TOK}' } }, channels: { telegram: { url: ` +
      `'https://me:pass-word@host/x', botToken: '\${TOK}' } }, vendor: { headers: { authorization: 'Bearer ` +
      `\${TOK}' } } }`,
  );
  const store = await b.open({}, { TOK: 'secret-value' });
  const text = JSON.stringify(store.redacted());
  assert.doesNotMatch(text, /fixed-part|pass-word|secret-value/);
  assert.match(store.redacted().raw, /botToken: '\$\{TOK\}'.*Bearer \$\{TOK\}/);
});

test('the redacted text keeps its layout, and comments are hidden as a whole', async () => {
  await using b = await harness();
  await b.put(
    `{\n  // token: "old-secret"\n  gateway: { port: 7, auth: { token: 'new-secret' } }, /* note */\n  ` +
      `vendor: { headers: {} },\n}`,
  );
  assert.equal(
    (await b.open()).redacted().raw,
    `{\n  // ${REDACTED}\n  gateway: { port: 7, auth: { token: '${REDACTED}' } }, /* ${REDACTED} */\n  ` +
      `vendor: { headers: {} },\n}`,
  );
});

test('the schema carries descriptions, and hints mark secrets', async () => {
  await using b = await harness();
  const { schema: json, uiHints } = (await b.open()).schema();
  assert.equal((json as any).properties.gateway.properties.port.description, 'The port.');
  assert.equal(uiHints['gateway.auth.token']?.sensitive, true);
  assert.equal(uiHints['vendor.headers']?.sensitive, true);
  assert.deepEqual(uiHints['gateway.port'], {
    label: 'Port',
    help: 'The port.',
    group: 'gateway',
    order: 0,
    placeholder: '18789',
  });
  assert.ok(uiHints['agents.list.*.name']);
});

test('a command finds the gateway without the schema', async () => {
  await using b = await harness();
  await b.put(`{ port: 7 }`, 'gw.json');
  await b.put(
    `{ env: { TOK: 'abc' }, gateway: { $include: './gw.json', auth: { token: '\${TOK}' }, controlUi: { ` +
      `basePath: '/x' }, remote: { url: 'wss://far', token: 'far' } } }`,
  );
  const vars = { HOME: b.dir, CLAWDBOT_STATE_DIR: b.dir };
  assert.deepEqual(await readGatewayAddress(readEnv(vars)), { mode: 'local', port: 7, basePath: '/x', token: 'abc' });
  assert.deepEqual(
    await readGatewayAddress(readEnv({ ...vars, CLAWDBOT_GATEWAY_PORT: '8', CLAWDBOT_GATEWAY_TOKEN: 'env' })),
    { mode: 'local', port: 8, basePath: '/x', token: 'env' },
  );
  await b.put(`{ gateway: { mode: 'remote', auth: { token: 'near' }, remote: { url: 'wss://far', token: 'far' } } }`);
  assert.deepEqual(await readGatewayAddress(readEnv(vars)), {
    mode: 'remote',
    port: 18_789,
    basePath: '/',
    remoteUrl: 'wss://far',
    token: 'far',
  });
  await b.put('{ broken');
  assert.equal((await readGatewayAddress(readEnv(vars))).port, 18_789);
});
