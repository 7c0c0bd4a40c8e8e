// Objects of dependencies have at most 12 fields, including those they extend and pick.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { dependenciesIn } from './wide-dependencies.ts';

const product = globSync('src/**/*.ts')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/\.test\.ts$|\/fake[^/]*\.ts$|\/harness\.ts$|^src\/testing\//.test(path))
  .sort();

/** Once for all tests: to check the types of the whole product takes seconds. */
const found = dependenciesIn(product);

test('what is handed to a part has at most 12 fields', () => {
  assert.ok(product.length > 100);
  assert.deepEqual(
    found.filter(({ fields }) => fields > 12),
    [],
  );
});

test('what is inherited and picked counts', () => {
  const at = 'src/channel-host/channel-understanding.ts ChannelUnderstandingDeps';
  assert.deepEqual(
    found.filter((one) => one.at === at),
    [{ at, fields: 9 }],
  );
});
