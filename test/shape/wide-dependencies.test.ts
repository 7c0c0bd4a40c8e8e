// Objects of dependencies have at most 12 fields, counted with what they extend and pick.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { wideDependencies } from './wide-dependencies.ts';

const product = globSync('src/**/*.ts')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/\.test\.ts$|\/fake[^/]*\.ts$|\/harness\.ts$|^src\/testing\//.test(path))
  .sort();

test('what is handed to a part has at most 12 fields', () => {
  assert.ok(product.length > 100);
  assert.deepEqual(wideDependencies(product, 12), []);
});

test('what is inherited and picked counts', () => {
  const found = wideDependencies(['src/channel-host/channel-understanding.ts'], 8);
  assert.deepEqual(found, ['src/channel-host/channel-understanding.ts ChannelUnderstandingDeps (9)']);
});
