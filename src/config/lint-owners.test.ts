// Owners that can never be found are named when the configuration is read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lintOwners } from './lint-owners.ts';

test('names, handles and everybody are no owner', () => {
  const found = lintOwners({
    commands: { ownerAllowFrom: ['telegram:1', 'Ann', 'telegram:@ann', 'slack:*', 'slack:', 'discord:9'] },
  });
  assert.deepEqual(
    found.map(({ path }) => path),
    [1, 2, 3, 4].map((index) => `commands.ownerAllowFrom[${index}]`),
  );
  assert.deepEqual(lintOwners({}), []);
});
