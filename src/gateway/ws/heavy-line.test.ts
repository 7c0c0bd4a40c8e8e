/** Large answers of one client: they wait for its reading, not for each other's work. */
import assert from 'node:assert/strict';
import { setImmediate as settled } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createHeavyLine } from './heavy-line.ts';

/** A client that has room, or none until it reads. */
function lineTo({ reads }: { reads: boolean }) {
  const client = { reads, waiting: [] as (() => void)[], got: [] as string[], begun: [] as string[] };
  const clock = createFakeClock();
  const ends = new AbortController();
  const connection = {
    caughtUp: () => (client.reads ? Promise.resolve() : new Promise<void>((room) => void client.waiting.push(room))),
  };
  const line = createHeavyLine({ connection, clock, signal: ends.signal });
  const ask = (name: string, work: Promise<unknown> = Promise.resolve()): Promise<void> =>
    line.run(async () => {
      client.begun.push(name);
      await work;
      return () => {
        client.got.push(name);
      };
    });
  const read = async (): Promise<void> => {
    client.waiting.splice(0).forEach((room) => room());
    await settled();
  };
  return { client, clock, ends, ask, read };
}

describe('large answers', () => {
  it('of quick work come in the order in which they were asked for', async () => {
    const { client, ask } = lineTo({ reads: true });
    await Promise.all(['a', 'b', 'c'].map((name) => ask(name)));
    assert.deepEqual(client.got, ['a', 'b', 'c']);
  });

  it('do not wait for slow work, whose answer comes when it is there', async () => {
    const { client, clock, ask } = lineTo({ reads: true });
    const page = Promise.withResolvers<void>();
    const slow = ask('slow', page.promise);
    const quick = ask('quick');
    await settled();
    assert.deepEqual(client.begun, ['slow']);
    await clock.advance(100);
    await quick;
    assert.deepEqual(client.got, ['quick']);
    page.resolve();
    await slow;
    assert.deepEqual(client.got, ['quick', 'slow']);
    assert.equal(clock.pending(), 0);
  });

  it('are made one at a time for a client that takes none, however long that lasts', async () => {
    const { client, clock, ask, read } = lineTo({ reads: false });
    const all = Array.from({ length: 20 }, (_, index) => ask(String(index)));
    await clock.advance(10_000);
    assert.equal(client.begun.length, 0);
    await read();
    await clock.advance(10_000);
    assert.deepEqual(client.begun, ['0']);
    assert.deepEqual(client.got, []);
    client.reads = true;
    await read();
    await Promise.all(all);
    assert.equal(client.got.length, 20);
  });

  it('of slow work are bounded too, and leave one after the other', async () => {
    const { client, clock, ask, read } = lineTo({ reads: true });
    const page = Promise.withResolvers<void>();
    const all = Array.from({ length: 30 }, (_, index) => ask(String(index), page.promise));
    await clock.advance(10_000);
    assert.equal(client.begun.length, 16);
    client.reads = false;
    page.resolve();
    await clock.advance(10_000);
    assert.deepEqual([client.got.length, client.begun.length], [0, 16]);
    await read();
    assert.equal(client.got.length, 1);
    client.reads = true;
    await read();
    await Promise.all(all);
    assert.equal(client.got.length, 30);
  });

  it('that fail leave the line open, and nothing begins for a client that is gone', async () => {
    const { client, ends, ask, clock } = lineTo({ reads: true });
    await assert.rejects(ask('broken', Promise.reject(new Error('broke'))), /broke/);
    await ask('next');
    ends.abort();
    await ask('late');
    assert.deepEqual(client.begun, ['broken', 'next']);
    assert.equal(clock.pending(), 0);
  });
});
