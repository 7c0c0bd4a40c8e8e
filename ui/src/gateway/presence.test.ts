// Presence maintained by differences: new, updated and removed entries; a new request only after too many changes.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { followPresence } from './presence.ts';
import type { EventFrame, PresenceEntry } from './wire.ts';

const entry = (instanceId: string, more: Partial<PresenceEntry> = {}): PresenceEntry => ({
  ts: 1,
  instanceId,
  ...more,
});

async function follow(first: readonly PresenceEntry[]) {
  const fixture = {
    answer: first,
    asked: 0,
    shown: [] as readonly PresenceEntry[],
    hear: (_event: EventFrame): void => undefined,
    connect: (): void => undefined,
  };
  const end = followPresence(
    {
      request: async () => {
        fixture.asked += 1;
        return fixture.answer;
      },
      whenConnected: (action) => {
        fixture.connect = action;
        action();
        return () => undefined;
      },
      on: (listener) => {
        fixture.hear = listener;
        return () => undefined;
      },
    },
    (entries) => (fixture.shown = entries),
  );
  await Promise.resolve();
  const notify = (payload: object, version?: number): void =>
    fixture.hear({
      type: 'event',
      event: 'presence.changed',
      payload,
      ...(version === undefined ? {} : { stateVersion: { presence: version, health: 0 } }),
    });
  return { fixture, tell: notify, end, ids: () => fixture.shown.map(({ instanceId }) => instanceId) };
}

test('differences change the list without another question', async () => {
  const { fixture, tell: notify, end, ids } = await follow([entry('gateway'), entry('a'), entry('b')]);
  notify({ changed: [entry('a', { reason: 'disconnect' }), entry('c')], gone: ['b'] });
  assert.deepEqual(ids(), ['gateway', 'a', 'c']);
  assert.equal(fixture.shown[1]!.reason, 'disconnect');
  fixture.hear({ type: 'event', event: 'presence', payload: { presence: [entry('d')] } });
  assert.deepEqual(ids(), ['d'], 'a gateway that tells everybody each time');
  assert.equal(fixture.asked, 1);
  fixture.connect();
  assert.equal(fixture.asked, 2, 'each connection asks');
  end();
});

test('where too much changed it asks, once for all that changes meanwhile', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { fixture, tell: notify, end, ids } = await follow([entry('gateway')]);
  fixture.answer = [entry('x')];
  for (let count = 0; count < 5; count++) notify({ changed: [], gone: [], stale: true });
  assert.equal(fixture.asked, 1);
  mock.timers.tick(5000);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual([fixture.asked, ids()], [2, ['x']]);
  end();
});

test('a difference that was missed is noticed by its number, and the list asked for anew', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { fixture, tell: notify, end, ids } = await follow([entry('gateway')]);
  notify({ changed: [entry('a')], gone: [], since: 3 }, 5);
  notify({ changed: [entry('b')], gone: [], since: 5 }, 6);
  mock.timers.tick(5000);
  assert.deepEqual([fixture.asked, ids()], [1, ['gateway', 'a', 'b']], 'nothing was missed');
  fixture.answer = [entry('gateway'), entry('b'), entry('c'), entry('d')];
  notify({ changed: [entry('d')], gone: [], since: 8 }, 9);
  assert.deepEqual(ids(), ['gateway', 'a', 'b', 'd'], 'what is known is shown meanwhile');
  mock.timers.tick(5000);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual([fixture.asked, ids()], [2, ['gateway', 'b', 'c', 'd']]);
  end();
});
