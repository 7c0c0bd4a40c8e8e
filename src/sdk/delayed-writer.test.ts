/** Changes are written soon and together, one write at a time. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createDelayedWriter } from './delayed-writer.ts';

function fixture() {
  const clock = createFakeClock();
  const state = { value: 0, disk: undefined as Promise<void> | undefined, broken: false };
  const written: number[] = [];
  const failures: unknown[] = [];
  const writer = createDelayedWriter({
    async write() {
      const { value } = state;
      await state.disk;
      if (state.broken) throw new Error('disk full');
      written.push(value);
    },
    delayMs: 1000,
    failed: (error) => failures.push(error),
    clock,
  });
  const change = (value: number): void => {
    state.value = value;
    writer.changed();
  };
  return { clock, state, written, failures, writer, change };
}

it('writes once for what changes within its delay, counted from the first change', async () => {
  const s = fixture();
  s.change(1);
  await s.clock.advance(999);
  s.change(2);
  assert.deepEqual(s.written, []);
  await s.clock.advance(1);
  assert.deepEqual(s.written, [2]);
  await s.clock.advance(5000);
  assert.deepEqual([s.written, s.clock.pending()], [[2], 0]);
});

it('writes at once when asked to, and nothing where nothing changed', async () => {
  const s = fixture();
  await s.writer.flush();
  s.change(1);
  await s.writer.flush();
  await s.clock.advance(5000);
  assert.deepEqual([s.written, s.clock.pending()], [[1], 0]);
});

it('writes what changes during a write after it', async () => {
  const s = fixture();
  const disk = Promise.withResolvers<void>();
  s.state.disk = disk.promise;
  s.change(1);
  const first = s.writer.flush();
  s.change(2);
  const second = s.writer.flush();
  disk.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(s.written, [1, 2]);
});

it('tells of a write that failed, and writes it along with the next change, or at the end', async () => {
  const s = fixture();
  s.state.broken = true;
  s.change(1);
  await s.clock.advance(1000);
  assert.deepEqual([s.written, s.failures.length], [[], 1]);
  s.state.broken = false;
  await s.writer[Symbol.asyncDispose]();
  assert.deepEqual([s.written, s.failures.length], [[1], 1]);
});
