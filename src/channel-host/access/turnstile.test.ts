import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurnstile } from './turnstile.ts';

test('two at a time, one waits, the next is turned away; a failure makes room like an end does', async () => {
  const { pass } = createTurnstile({ inside: 2, waiting: 1 });
  const begun: string[] = [];
  const work = (name: string) => {
    const end = Promise.withResolvers<string>();
    const passed = pass(() => {
      begun.push(name);
      return end.promise;
    });
    return { passed, end };
  };
  const [a, b, c, d] = [work('a'), work('b'), work('c'), work('d')];
  assert.equal(d.passed, undefined);
  await Promise.resolve();
  assert.deepEqual(begun, ['a', 'b']);
  a.end.reject(new Error('broken'));
  await assert.rejects(a.passed!, /broken/);
  b.end.resolve('b');
  c.end.resolve('c');
  assert.deepEqual(await Promise.all([b.passed, c.passed]), ['b', 'c']);
  assert.deepEqual(begun, ['a', 'b', 'c']);
  const e = work('e');
  e.end.resolve('e');
  assert.equal(await e.passed, 'e');
});
