/** Deleting sessions: it can be undone for a moment, and happens once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemovals } from './removals.ts';

const removals = (fails = false) => {
  const removed: string[] = [];
  const problems: string[] = [];
  const sessions = {
    remove: async (key: string) => {
      if (fails) throw new Error(`no ${key}`);
      removed.push(key);
    },
  };
  const waiting = createRemovals(sessions, (problem) => problems.push(problem), {
    waitMs: 3_600_000,
    schedule: (flush) => flush(),
  });
  return { ...waiting, removed, problems };
};

test('what was undone stays, what was not goes once', () => {
  const { add, undo, carryOut, store, removed } = removals();
  add(['a', 'b']);
  undo();
  carryOut();
  assert.deepEqual(removed, []);
  add(['a']);
  add(['b']);
  assert.deepEqual([...store.get()], ['a', 'b']);
  carryOut();
  carryOut();
  assert.deepEqual(removed, ['a', 'b']);
  assert.equal(store.get().size, 0);
});

test('what the gateway refuses is said', async () => {
  const { add, carryOut, problems } = removals(true);
  add(['a']);
  carryOut();
  await new Promise(setImmediate);
  assert.deepEqual(problems, ['no a']);
});
