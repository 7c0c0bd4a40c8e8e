// How often a large `sessions.json` is written, and what is never delayed.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { silentLog } from '../core/log.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createMemoryRedo } from '../testing/memory-redo.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { until } from '../testing/until.ts';
import { createSessionStore } from './store.ts';

/** A store over an empty folder, its clock, and what the journal would hold. */
async function harness() {
  const dir = await tempDir('store-pace');
  const path = join(dir.path, 'main', 'sessions.json');
  await mkdir(dirname(path));
  const memory = createMemoryRedo();
  const counted = { synced: 0 };
  const redo = { ...memory, synced: async () => void counted.synced++ };
  const clock = createFakeClock();
  return {
    clock,
    path,
    rows: memory.rows,
    counted,
    store: createSessionStore({
      path: (agentId) => (agentId === 'main' ? path : join(dir.path, agentId, 'sessions.json')),
      redo,
      log: silentLog,
      clock,
    }),
    other: join(dir.path, 'other', 'sessions.json'),
    tokens: async (): Promise<number> => JSON.parse(await readFile(path, 'utf8')).k.inputTokens,
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

it('a large file is written more seldom, and what it lacks is in the journal, synced', async () => {
  await using s = await harness();
  await s.store.patch('main', 'k', { sessionId: 's1', label: 'x'.repeat(4096 * 20) });
  await s.store.flush(); // 80 KiB: twenty seconds at 4 KiB a second
  const { ino } = await stat(s.path);
  await s.store.patch('main', 'k', { inputTokens: 1 });
  await s.clock.advance(19_000);
  assert.deepEqual([(await stat(s.path)).ino, s.rows.size, s.counted.synced > 0], [ino, 1, true]);
  await until(async () => {
    await s.clock.advance(1000);
    return s.rows.size === 0;
  });
  assert.equal(await s.tokens(), 1);
  await s.store.patch('main', 'k', { inputTokens: 2 });
  await s.store.close();
  assert.equal(await s.tokens(), 2, 'the end writes what is left at once');
});

it('a large file that is deleted comes back soon', async () => {
  await using s = await harness();
  await s.store.patch('main', 'k', { sessionId: 's1', label: 'x'.repeat(4096 * 60) });
  await s.store.flush();
  await rm(s.path);
  await s.store.patch('main', 'k', { inputTokens: 1 });
  await s.clock.advance(1000);
  await until(() => existsSync(s.path));
  assert.equal(await s.tokens(), 1);
  await s.store.close();
});

it('a small file does not wait for a large one', async () => {
  await using s = await harness();
  await s.store.patch('main', 'k', { sessionId: 's1', label: 'x'.repeat(4096 * 60) });
  await s.store.flush();
  await s.store.patch('main', 'k', { inputTokens: 1 });
  await s.clock.advance(1000);
  await until(() => s.counted.synced > 0);
  await s.store.patch('other', 'k', { sessionId: 's2' });
  await s.clock.advance(1000);
  await until(() => existsSync(s.other) && s.rows.size === 1);
  assert.deepEqual(
    [...s.rows.values()].map(({ agentId }) => agentId),
    ['main'],
    'the large one waits',
  );
  await s.store.close();
});
