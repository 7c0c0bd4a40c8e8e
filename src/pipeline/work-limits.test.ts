/** How many turns run at once: by memory where nobody says it, and what nobody waits for apart from people. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configSchema } from '../testing/whole-schema.ts';
import { maxAtOnce, turnsByMemory } from './work-limits.ts';

const GIB = 2 ** 30;

test('turns by memory: eight for each GiB, never less than four nor more than 64', () => {
  assert.deepEqual(
    [0.25, 0.5, 1, 2, 7.9, 8, 64].map((size) => turnsByMemory(size * GIB)),
    [4, 4, 8, 16, 63, 64, 64],
  );
});

test('what is configured holds; people and background never share places, and the limit of open files bounds both', () => {
  const config = configSchema.parse({ agents: { defaults: { maxConcurrent: 8 } } });
  assert.deepEqual(
    ['main', 'background', 'subagent'].map((kind) => maxAtOnce(kind as 'main', config, { files: 1000, memory: GIB })),
    [8, 2, 8],
  );
  assert.deepEqual(
    ['main', 'background', 'subagent'].map((kind) => maxAtOnce(kind as 'main', config, { files: 3, memory: GIB })),
    [3, 1, 3],
  );
});
