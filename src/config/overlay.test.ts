// Settings laid over the file: checked like it, gone without a trace.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../core/log.ts';
import { readEnv } from '../platform/env.ts';
import { configSchema, settingRules } from '../testing/whole-schema.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { createConfigStore } from './create-store.ts';

async function harness(text: string) {
  const dir = await tempDir('overlay');
  const file = join(dir.path, 'clawdbot.json');
  await writeFile(file, text);
  const store = await createConfigStore({
    schema: configSchema,
    rules: settingRules,
    env: readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path }),
    log: silentLog,
  });
  return {
    store,
    file,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const FILE = '{ messages: { queue: { cap: 7, mode: "followup" } } } // mine\n';

test('G139 an override changes reads and not the file; reset takes it away', async () => {
  await using s = await harness(FILE);
  const heard: string[][] = [];
  s.store.subscribe((_next, _previous, changed) => heard.push([...changed]));
  await s.store.override('messages.queue.cap', 3);
  await s.store.override('agents.defaults.model', 'fake/model');
  assert.deepEqual([s.store.current().messages.queue.cap, s.store.current().messages.queue.mode], [3, 'followup']);
  assert.deepEqual(s.store.overrides(), {
    messages: { queue: { cap: 3 } },
    agents: { defaults: { model: 'fake/model' } },
  });
  assert.equal(await readFile(s.file, 'utf8'), FILE);
  await s.store.override('agents.defaults.model', undefined);
  assert.deepEqual(s.store.overrides(), { messages: { queue: { cap: 3 } } });
  await s.store.resetOverrides();
  assert.deepEqual([s.store.current().messages.queue.cap, s.store.overrides()], [7, {}]);
  assert.deepEqual(heard[0], ['messages.queue.cap']);
  assert.deepEqual(heard.at(-1), ['messages.queue.cap']);
});

test('what would not be valid changes nothing', async () => {
  await using s = await harness(FILE);
  await s.store.override('messages.queue.cap', 3);
  for (const [path, value] of [
    ['messages.queue.cap', 'many'],
    ['messages.queue.mode', 'sometimes'],
    ['__proto__.x', 1],
    ['', 1],
    ['agents.list.0.id', 'x'],
  ] as const) {
    await assert.rejects(s.store.override(path, value), { code: 'invalid' }, path);
  }
  assert.deepEqual(
    [s.store.current().messages.queue.cap, s.store.overrides()],
    [3, { messages: { queue: { cap: 3 } } }],
  );
});

test('the file may change under it', async () => {
  await using s = await harness(FILE);
  await s.store.override('messages.queue.cap', 3);
  await s.store.edit([{ path: 'messages.queue.debounceMs', value: 50 }]);
  assert.deepEqual([s.store.current().messages.queue.cap, s.store.current().messages.queue.debounceMs], [3, 50]);
  assert.match(await readFile(s.file, 'utf8'), /cap: 7/);
});
