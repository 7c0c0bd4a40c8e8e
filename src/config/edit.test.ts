import assert from 'node:assert/strict';
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import JSON5 from 'json5';
import type { AppError } from '../core/errors.ts';
import { readTextIfExists, statIfExists } from '../platform/files.ts';
import { REDACTED } from './redact.ts';
import { harness } from '../testing/config-harness.ts';

const TEXT = `// mine
{
  gateway: {
    port: 7, // lucky
    auth: { token: '\${TOK}' },
  },
  agents: {
    list: [
      // the first
      { id: 'a', name: 'Ada' },
    ],
  },
}
`;

test('only the touched key changes; comments and references stay', async () => {
  await using b = await harness();
  await b.put(TEXT);
  const store = await b.open({}, { TOK: 'secret' });
  const snapshot = await store.edit([{ path: 'gateway.port', value: 8 }], store.snapshot().hash);
  assert.equal(await b.read(), TEXT.replace('port: 7', 'port: 8'));
  assert.equal(snapshot.config.gateway.port, 8);
  assert.equal(store.current().gateway.port, 8);
});

test('several edits, lists and new sections at once', async () => {
  await using b = await harness();
  await b.put(TEXT);
  const store = await b.open({}, { TOK: 'secret' });
  await store.edit([
    { path: 'agents.list[0].name', value: undefined },
    { path: 'agents.list[1]', value: { id: 'b' } },
    { path: 'channels.telegram["bot.name"]', value: 'x' },
    { path: 'gateway.bind', value: 'lan' },
  ]);
  const text = (await b.read())!;
  assert.deepEqual(JSON5.parse(text), {
    gateway: { port: 7, auth: { token: '${TOK}' }, bind: 'lan' },
    agents: { list: [{ id: 'a' }, { id: 'b' }] },
    channels: { telegram: { 'bot.name': 'x' } },
  });
  for (const comment of ['// mine', '// lucky', '// the first']) assert.ok(text.includes(comment));
});

test('an edit changes the file that contains the key', async () => {
  await using b = await harness();
  const gw = '{ // shared\n  port: 1,\n}\n';
  const main = `{ gateway: { $include: './gw.json5', bind: 'lan' }, vendor: { $include: './v.json' } }`;
  await b.put(gw, 'gw.json5');
  await b.put('{}', 'v.json');
  await b.put(main);
  const store = await b.open();
  await store.edit([{ path: 'gateway.port', value: 2 }]);
  assert.deepEqual([await b.read('gw.json5'), await b.read()], [gw.replace('1', '2'), main]);
  await store.edit([
    { path: 'gateway.bind', value: 'loopback' },
    { path: 'vendor.headers', value: { a: 'b' } },
  ]);
  assert.deepEqual(
    [await b.read('gw.json5'), await b.read()],
    [gw.replace('1', '2'), main.replace("'lan'", '"loopback"')],
  );
  assert.deepEqual(JSON5.parse((await b.read('v.json'))!), { headers: { a: 'b' } });
  await store.edit([{ path: 'gateway.port', value: undefined }]);
  assert.equal(store.current().gateway.port, 18_789);
  assert.ok((await b.read('gw.json5'))?.includes('// shared'));
});

test('removing a key removes it from every file that has it', async () => {
  await using b = await harness();
  await b.put('{ port: 1 }', 'gw.json');
  await b.put(`{ gateway: { $include: './gw.json', port: 2 } }`);
  const store = await b.open();
  assert.equal((await store.edit([{ path: 'gateway.port', value: undefined }])).config.gateway.port, 18_789);
  await store.edit([{ path: 'gateway', value: undefined }]);
  assert.deepEqual(JSON5.parse((await b.read())!), {});
  assert.notEqual(await b.read('gw.json'), undefined, 'the included file itself stays');
});

test('a list put together from several files is not guessed at', async () => {
  await using b = await harness();
  await b.put(`{ list: [{ id: 'a' }] }`, 'one.json');
  await b.put(`{ agents: { $include: './one.json', list: [{ id: 'b' }] } }`);
  const store = await b.open();
  await store.edit([{ path: 'agents.list', value: [{ id: 'a', name: 'A' }, { id: 'b' }] }]);
  assert.match((await b.read('one.json'))!, /name: "A"/, 'one element changes where it is written');
  await store.edit([{ path: 'agents.list', value: [{ id: 'a', name: 'A' }, { id: 'b' }, { id: 'c' }] }]);
  assert.deepEqual(
    store.current().agents.list.map(({ id }) => id),
    ['a', 'b', 'c'],
  );
  const before = await b.read();
  await assert.rejects(
    store.edit([{ path: 'agents.list', value: [{ id: 'b' }] }]),
    (error: AppError) => error.code === 'invalid' && /several|put together/.test(error.message),
  );
  assert.equal(await b.read(), before);
});

test("what is unset takes blocks along that held nothing else, and nobody's comment", async () => {
  await using b = await harness();
  await b.put(
    `{ gateway: { port: 1, auth: { token: 'x' } }, agents: { list: [{ id: 'a' }], defaults: { /* mine */ ` +
      `workspace: '~/w' } } }`,
  );
  const store = await b.open();
  for (const path of ['gateway.auth.token', 'agents.defaults.workspace'])
    await store.edit([{ path, value: undefined }]);
  assert.equal(await b.read(), `{ gateway: { port: 1 }, agents: { list: [{ id: 'a' }], defaults: { /* mine */  } } }`);
  await store.edit([{ path: 'gateway.port', value: undefined }]);
  assert.equal(await b.read(), `{ agents: { list: [{ id: 'a' }], defaults: { /* mine */  } } }`);
});

test('agents written by id are edited where they stand', async () => {
  await using b = await harness();
  await b.put(`{ agents: { entries: { main: { name: 'Ada' } } } }`);
  const store = await b.open();
  await store.edit([{ path: 'agents.list[0].name', value: 'Eve' }]);
  assert.equal(await b.read(), `{ agents: { entries: { main: { name: "Eve" } } } }`);
});

test('an invalid result names its issues and touches no file', async () => {
  await using b = await harness();
  await b.put(TEXT);
  const store = await b.open({}, { TOK: 'secret' });
  await assert.rejects(
    store.edit([
      { path: 'gateway.bind', value: 'lan' },
      { path: 'gateway.port', value: 'x' },
    ]),
    (error: AppError) => {
      assert.equal(error.code, 'invalid');
      assert.match(error.message, /gateway\.port is text but must be a number/);
      assert.match(JSON.stringify(error.details), /"path":"gateway\.port"/);
      return true;
    },
  );
  assert.equal(await b.read(), TEXT);
  assert.equal(await b.read('clawdbot.json.bak'), undefined);
});

test('an invalid file can be repaired step by step', async () => {
  await using b = await harness();
  await b.put(`{ gateway: { port: 'x', bind: 'y' } }`);
  const store = await b.open();
  await assert.rejects(store.edit([{ path: 'vendor.headers.a', value: 'b' }]), { code: 'invalid' });
  await store.edit([{ path: 'gateway.port', value: 1 }]);
  assert.equal(store.snapshot().valid, false);
  await store.edit([{ path: 'gateway.bind', value: undefined }]);
  assert.deepEqual([store.snapshot().valid, store.snapshot().safeMode], [true, false]);
});

test('a file that is no JSON5 is not edited', async () => {
  await using b = await harness();
  await b.put('{ gateway: ');
  const store = await b.open();
  await assert.rejects(store.edit([{ path: 'gateway.port', value: 1 }]), { code: 'invalid' });
  assert.equal(await b.read(), '{ gateway: ');
});

test('a hash that is no longer right is a conflict, also when the file changed behind our back', async () => {
  await using b = await harness();
  await b.put(TEXT);
  const store = await b.open({}, { TOK: 'secret' });
  const { hash } = store.snapshot();
  await b.put(TEXT.replace('7', '9'));
  for (const attempt of [
    store.edit([{ path: 'gateway.port', value: 1 }], hash),
    store.patch({ gateway: { port: 1 } }, hash),
    store.replace('{}', hash),
  ]) {
    await assert.rejects(attempt, { code: 'conflict' });
  }
  assert.equal(await b.read(), TEXT.replace('7', '9'));
});

test('the marker of a hidden secret is never written', async () => {
  await using b = await harness();
  await b.put(TEXT);
  const store = await b.open({}, { TOK: 'secret' });
  for (const attempt of [
    store.edit([{ path: 'vendor.headers.a', value: REDACTED }]),
    store.patch({ agents: { list: [{ id: REDACTED }] } }),
    store.replace(`{ vendor: { headers: { a: "${REDACTED}" } } }`),
  ])
    await assert.rejects(attempt, (error: AppError) => error.code === 'invalid' && /marker/.test(error.message));
  assert.equal(await b.read(), TEXT);
});

test('what was shown can be applied as it stands, and with a change: secrets and comments are where they were', async () => {
  await using b = await harness();
  const text =
    '// mine\n{\n  gateway: { port: 7, /* old: "sk-1234567890abcdefghij" */ auth: { token: ' +
    '"a-real-token-of-mine-1234" } }, // {end}\n  vendor: { headers: { a: "// no comment" } },\n}\n';
  await b.put(text);
  const store = await b.open();
  const shown = (): string => store.redacted().raw;
  assert.doesNotMatch(shown(), /real-token|sk-1234|mine/);
  await store.replace(shown(), store.snapshot().hash);
  assert.equal(await b.read(), text);
  await store.replace(shown().replace('port: 7', 'port: 8'), store.snapshot().hash);
  assert.equal(await b.read(), text.replace('port: 7', 'port: 8'));
  await assert.rejects(
    store.replace(shown().replace(/\/\*.*?\*\//, ''), store.snapshot().hash),
    { code: 'invalid' },
    'which comments are left nobody can tell',
  );
  await store.replace(shown().replaceAll(/\/\*.*?\*\/|\/\/ __.*/g, ''), store.snapshot().hash);
  assert.deepEqual(
    [(await b.read())!.includes('a-real-token-of-mine-1234'), (await b.read())!.includes('REDACTED')],
    [true, false],
    'without any, secrets are where they were',
  );
});

test('the settings in force as they were shown can be applied: old names and variables bring their secrets along', async () => {
  await using b = await harness();
  await b.put(
    '{ telegram: { botToken: "1234567890:AAHabcdefghijklmnopqrstuvwxyz012345678" }, gateway: { auth: { ' +
      'token: "${TOK}" } } }',
  );
  const store = await b.open({}, { TOK: 'a-secret-of-the-environment' });
  const shown = JSON.stringify(store.redacted().config);
  assert.doesNotMatch(shown, /AAHabc|of-the-environment/);
  await store.replace(shown, store.snapshot().hash);
  const { channels, gateway } = JSON5.parse((await b.read())!);
  assert.equal(channels.telegram.botToken, '1234567890:AAHabcdefghijklmnopqrstuvwxyz012345678');
  assert.equal(gateway.auth.token, '${TOK}');
});

test('a first edit creates the file, private; it can be read by a JSON reader', async () => {
  await using b = await harness();
  const store = await b.open();
  await store.edit([{ path: 'gateway.port', value: 1 }], '');
  assert.deepEqual(JSON.parse((await b.read())!), { gateway: { port: 1 } });
  assert.equal((await statIfExists(b.file))?.mode, 0o600);
});

test('five versions are kept, newest first, and they are private', async () => {
  await using b = await harness();
  await b.put('{ gateway: { port: 0 } }');
  await chmod(b.file, 0o644);
  const store = await b.open();
  for (let port = 1; port <= 7; port++) await store.edit([{ path: 'gateway.port', value: port }]);
  const kept = await Promise.all(
    ['', '.bak', '.bak.1', '.bak.2', '.bak.3', '.bak.4', '.bak.5'].map(async (suffix) => {
      const text = await readTextIfExists(b.file + suffix);
      return text === undefined ? undefined : (JSON5.parse(text).gateway.port as number);
    }),
  );
  assert.deepEqual(kept, [7, 6, 5, 4, 3, 2, undefined]);
  assert.equal((await statIfExists(`${b.file}.bak.4`))?.mode, 0o600);
  await store.edit([{ path: 'gateway.port', value: 7 }]);
  assert.match((await b.read('clawdbot.json.bak'))!, /6/, 'an edit that changes nothing writes nothing');
});

test('a merge patch removes with null, merges objects and replaces the rest', async () => {
  await using b = await harness();
  await b.put(TEXT);
  const store = await b.open({}, { TOK: 'secret' });
  await store.patch(
    { gateway: { port: null, bind: 'lan' }, vendor: { headers: { a: 'b', c: null } }, agents: { list: [{ id: 'z' }] } },
    store.snapshot().hash,
  );
  assert.deepEqual(store.snapshot().parsed, {
    gateway: { auth: { token: '${TOK}' }, bind: 'lan' },
    vendor: { headers: { a: 'b' } },
    agents: { list: [{ id: 'z' }] },
  });
  assert.ok((await b.read())?.includes('// mine'));
});

test('a whole new document is checked and written as it is', async () => {
  await using b = await harness();
  await b.put(TEXT);
  const store = await b.open({}, { TOK: 'secret' });
  await assert.rejects(store.replace('{ gateway: { port: "x" } }'), { code: 'invalid' });
  await assert.rejects(store.replace('{'), { code: 'invalid' });
  assert.equal(await b.read(), TEXT);
  const fresh = '/* new */ { gateway: { port: 3 } }';
  assert.equal((await store.replace(fresh)).config.gateway.port, 3);
  assert.equal(await b.read(), fresh);
});

test('edits are applied one after the other, and a linked file stays a link', async () => {
  await using b = await harness();
  await b.put('{}', 'real.json');
  await symlink(join(b.dir, 'real.json'), b.file);
  const store = await b.open();
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => store.edit([{ path: `vendor.headers.${name}`, value: name }])));
  assert.deepEqual(JSON5.parse((await b.read('real.json'))!), {
    vendor: { headers: { a: 'a', b: 'b', c: 'c', d: 'd' } },
  });
});

test('what is no setting is refused', async () => {
  await using b = await harness();
  await b.put(`{ agents: { defaults: { model: 'x' } } }`);
  const store = await b.open();
  for (const path of ['', '__proto__.x', 'gateway.$include', 'agents.defaults.model.primary', 'agents.list[3].id']) {
    await assert.rejects(
      store.edit([{ path, value: 'y' }]),
      (error: AppError) => error.code === 'invalid' || error.code === 'unsupported',
      path,
    );
  }
  assert.equal(await b.read(), `{ agents: { defaults: { model: 'x' } } }`);
});

test('a command without the variables of the gateway can still edit', async () => {
  await using b = await harness();
  await b.put(TEXT);
  await assert.rejects(
    (await b.open()).edit([{ path: 'gateway.port', value: 8 }]),
    (error: AppError) => error.code === 'invalid' && error.message.includes('TOK'),
  );
  const store = await b.open({ missingVariables: 'warn' });
  assert.deepEqual(
    store.snapshot().warnings.map(({ path }) => path),
    ['gateway.auth.token'],
  );
  await store.edit([{ path: 'gateway.port', value: 8 }]);
  assert.equal(await b.read(), TEXT.replace('port: 7', 'port: 8'));
});

test('replaced versions are kept, shown without secrets, and restored with them', async () => {
  await using b = await harness();
  await b.put(TEXT.replace("'${TOK}'", "'a-real-token-of-mine-1234'"));
  const store = await b.open();
  const first = store.snapshot().hash;
  assert.deepEqual(await store.versions(), []);
  await store.edit([{ path: 'gateway.port', value: 8 }]);
  await store.edit([{ path: 'gateway.port', value: 9 }]);
  const versions = await store.versions();
  assert.equal(versions.length, 2);
  assert.equal(versions[1]!.hash, first);
  assert.match(versions[1]!.raw, /port: 7/);
  assert.ok(versions.every(({ raw }) => raw.includes(REDACTED) && !raw.includes('a-real-token')));
  await assert.rejects(store.restore(first, 'another hash'), { code: 'conflict' });
  await assert.rejects(store.restore('no such version'), { code: 'not_found' });
  const { hash, config } = await store.restore(first, store.snapshot().hash);
  assert.deepEqual(
    [hash, config.gateway.port, (await b.read())!.includes('a-real-token-of-mine-1234')],
    [first, 7, true],
  );
  assert.ok(
    (await store.versions()).every((one) => one.hash !== first),
    'the present text is no earlier one',
  );
  await store.restore((await store.versions())[0]!.hash);
  assert.equal(store.current().gateway.port, 9, 'a restore can be undone');
});

test('a version that is not valid any more is not restored', async () => {
  await using b = await harness();
  await b.put('{ gateway: { port: 7 } }');
  const store = await b.open();
  await store.edit([{ path: 'gateway.port', value: 8 }]);
  await b.put('{ gateway: { port: "nope" } }', 'clawdbot.json.bak');
  const [broken] = await store.versions();
  await assert.rejects(store.restore(broken!.hash, store.snapshot().hash), { code: 'invalid' });
  assert.equal(store.current().gateway.port, 8);
});
