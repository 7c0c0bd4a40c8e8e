/** How many connections fit a low descriptor limit, and the probe's answer when there is no room. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { startHttpGateway } from '../../testing/http-gateway.ts';
import { createConnectionBudget } from './connection-budget.ts';

/** `others`: what is open beside connections. */
function roomOf(limit: number, others: { now: number }) {
  const clock = createFakeClock();
  const state = { open: 1 };
  const room = createConnectionBudget({ limit, used: () => others.now + state.open }, clock);
  return async (open: number): Promise<number> => {
    state.open = open;
    await clock.advance(1000);
    return room(open);
  };
}

test('half of what is free at rest belongs to connections, and with many descriptors all but 256', async () => {
  assert.deepEqual(
    await Promise.all([40, 64, 100, 1024].map((limit) => roomOf(limit, { now: 30 })(1))),
    [5, 17, 35, 738],
  );
  assert.equal(
    createConnectionBudget({ limit: 1_000_000, used: () => assert.fail('counted for nothing') }, createFakeClock())(1),
    Infinity,
  );
  assert.equal(createConnectionBudget(undefined, createFakeClock())(1), Infinity);
});

test('what works beside them is left its half, and takes from theirs only when it needs more', async () => {
  const others = { now: 30 };
  const room = roomOf(100, others);
  assert.equal(await room(1), 35);
  others.now = 60;
  assert.equal(await room(20), 35);
  others.now = 80;
  assert.equal(await room(20), 18);
  others.now = 99;
  assert.equal(await room(20), 2, 'a probe and a person get in all the same');
  others.now = 30;
  assert.equal(await room(1), 35);
});

test('a gateway that may open nothing more says so to its probe', async () => {
  const use = { now: 38 };
  await using gateway = await startHttpGateway({ descriptors: { limit: 40, used: () => use.now } });
  const probe = async (): Promise<[number, any]> => {
    const answer = await gateway.fetch('/readyz');
    return [answer.status, await answer.json()];
  };
  const [status, body] = await probe();
  assert.deepEqual(
    [status, body.status, body.details.descriptors.limit, body.details.descriptors.used],
    [503, 'descriptors', 40, 38],
  );
  assert.match(body.details.descriptors.problem, /38 of the 40 files and sockets.*raise the limit/);
  use.now = 30;
  assert.deepEqual((await probe())[0], 200);
});
