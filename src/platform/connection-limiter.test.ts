/** Which connection is closed at the limit: never an authenticated one, silent ones first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createConnectionLimiter } from './connection-limiter.ts';
import { networkOf } from './network-of.ts';

function limiterOf(total: number, each: number) {
  const dropped: number[] = [];
  return {
    dropped,
    limiter: createConnectionLimiter<number>({
      total: () => total,
      perPlace: () => each,
      drop: (one) => void dropped.push(one),
    }),
  };
}

test('the oldest silent one gives way, of the same place first', () => {
  const { limiter, dropped } = limiterOf(6, 3);
  for (const one of [1, 2, 3]) limiter.joined(one, 'a');
  limiter.joined(4, 'b');
  limiter.requested(1);
  limiter.joined(5, 'a');
  assert.deepEqual(dropped, [2]);
  limiter.left(3);
  limiter.joined(6, 'a');
  assert.deepEqual(dropped, [2], 'who is known made room');
});

test('many places together have one limit', () => {
  const { limiter, dropped } = limiterOf(5, 3);
  for (let one = 0; one < 100; one++) limiter.joined(one, `place ${one}`);
  assert.deepEqual([limiter.size, dropped.length, dropped[0], dropped.at(-1)], [5, 95, 0, 94]);
});

test('where all others have asked, a newcomer is not the one who goes', () => {
  const { limiter, dropped } = limiterOf(100, 4);
  for (const one of [1, 2, 3]) {
    limiter.joined(one, 'a');
    limiter.requested(one);
  }
  limiter.joined(4, 'a');
  limiter.joined(5, 'a');
  assert.deepEqual(dropped, [1]);
  limiter.requested(2);
  limiter.requested(3);
  limiter.requested(4);
  limiter.joined(6, 'a');
  assert.deepEqual(dropped, [1, 2], 'asking again is no reason to stay');
});

test('whatever happens, the limits hold, and nobody is dropped who left or is known', () => {
  const act = fc.record({
    what: fc.constantFrom('joined', 'asked', 'left'),
    one: fc.nat(40),
    from: fc.constantFrom('a', 'b', 'c', 'd'),
  });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 300 }), (acts) => {
      const here = new Map<number, string>();
      const limiter = createConnectionLimiter<number>({
        total: () => 7,
        perPlace: (from) => (from === 'a' ? 5 : 2),
        drop: (one) => assert.ok(here.delete(one), `${one} was not here`),
      });
      for (const { what, one, from } of acts) {
        if (what === 'joined' && !here.has(one)) {
          limiter.joined(one, from);
          here.set(one, from);
        } else if (what === 'asked') limiter.requested(one);
        else if (what === 'left') {
          limiter.left(one);
          here.delete(one);
        }
        assert.equal(limiter.size, here.size);
        assert.ok(here.size <= 7);
        for (const [place, max] of [
          ['a', 5],
          ['b', 2],
          ['c', 2],
        ] as const)
          assert.ok([...here.values()].filter((at) => at === place).length <= max);
      }
    }),
    { numRuns: 300 },
  );
});

test('a network of IPv6 counts as one, in every spelling', () => {
  assert.deepEqual(['192.0.2.1', '::ffff:192.0.2.1'].map(networkOf), ['192.0.2.1', '192.0.2.1']);
  assert.equal(
    new Set(
      ['2001:db8::1', '2001:db8::2:3', '2001:db8:0:0:a:b:c:d', '2001:db8::ffff:1:2:3', '2001:db8::1%eth0'].map(
        networkOf,
      ),
    ).size,
    1,
  );
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8::1'));
  assert.equal(networkOf(''), '');
});
