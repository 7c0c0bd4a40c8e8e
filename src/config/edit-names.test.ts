import assert from 'node:assert/strict';
import { test } from 'node:test';
import JSON5 from 'json5';
import { z } from 'zod';
import type { AppError } from '../core/errors.ts';
import { harness } from '../testing/config-harness.ts';
import { settingRules } from '../testing/whole-schema.ts';

test('a file in old names is edited in old names', async () => {
  await using b = await harness();
  await b.put(`{\n  agent: { model: 'x/y', workspace: '~/w' },\n  telegram: { botToken: 't' }, // chat\n}`);
  const store = await b.open();
  await store.edit([
    { path: 'agents.defaults.model', value: 'a/b' },
    { path: 'channels.telegram.botToken', value: 'u' },
    { path: 'agents.defaults.workspace', value: undefined },
  ]);
  assert.equal(await b.read(), `{\n  agent: { model: "a/b" },\n  telegram: { botToken: "u" }, // chat\n}`);
  await store.edit([{ path: 'agents.defaults', value: { model: 'c/d' } }]);
  assert.deepEqual(store.current().agents.defaults, { model: 'c/d', workspace: '~/clawd' });
});

test('a new setting goes beside its kind, in the spelling of the file', async () => {
  await using b = await harness();
  await b.put(`{ agent: { workspace: '~/w' } }`);
  const store = await b.open();
  await store.edit([{ path: 'agents.defaults.model', value: 'a/b' }]);
  assert.equal(await b.read(), `{ agent: { workspace: '~/w', model: "a/b" } }`);
});

test('a setting may be named as the file names it, to change and to read it', async () => {
  await using b = await harness();
  await b.put(`{ agents: { entries: { main: { name: 'Ada' } } }, telegram: { botToken: 't' } }`);
  const store = await b.open();
  await store.edit([{ path: 'agents.entries.main.name', value: 'Eve' }]);
  await store.edit([{ path: 'telegram.dmPolicy', value: 'open' }]);
  assert.equal(
    await b.read(),
    `{ agents: { entries: { main: { name: "Eve" } } }, telegram: { botToken: 't', dmPolicy: "open" } }`,
  );
  assert.deepEqual(
    [store.explain('agents.entries.main.name').value, store.explain('telegram.dmPolicy').path],
    ['Eve', 'channels.telegram.dmPolicy'],
  );
});

test('old words that mean several settings give way to all of them', async () => {
  await using b = await harness();
  const schema = z.looseObject({
    tools: z.looseObject({}).default({}),
    agents: z.looseObject({}).default({}),
    audio: z.unknown().optional(),
  });
  await b.put(`{ tools: { exec: { mode: 'ask' } }, agents: { defaults: { sandbox: { perSession: true } } } }`);
  const store = await b.open({ schema: schema as never, rules: settingRules });
  await store.edit([
    { path: 'tools.exec.security', value: 'full' },
    { path: 'agents.defaults.sandbox.scope', value: 'shared' },
  ]);
  assert.deepEqual(JSON5.parse((await b.read())!), {
    tools: { exec: { security: 'full', ask: 'on-miss' } },
    agents: { defaults: { sandbox: { scope: 'shared' } } },
  });
  await b.put(`{ audio: { transcription: { command: ['whisper', '{input}'] } } }`);
  await store.reload();
  await store.edit([{ path: 'tools.media.audio.models[0].command', value: 'other' }]);
  assert.deepEqual(JSON5.parse((await b.read())!), {
    tools: { media: { audio: { models: [{ type: 'cli', command: 'other', args: ['{{MediaPath}}'] }] } } },
  });
});

test('a name nobody knows is refused where only known ones are wanted, and one that was there is not', async () => {
  await using b = await harness();
  await b.put(`{ gateway: { prot: 1 } }`);
  const store = await b.open();
  await assert.rejects(
    store.edit([{ path: 'gateway.bnd', value: 'lan' }], undefined, { knownOnly: true }),
    (error: AppError) => error.code === 'invalid' && /gateway\.bnd.*Did you mean "gateway\.bind"/.test(error.message),
  );
  assert.equal(await b.read(), `{ gateway: { prot: 1 } }`);
  await store.edit(
    [
      { path: 'gateway.bind', value: 'lan' },
      { path: 'talk.voice', value: 'x' },
    ],
    undefined,
    { knownOnly: true },
  );
  assert.match((await b.read())!, /bind: "lan"/, 'settings of the family are not unknown');
});
