/** Keyed queues: order within a key, independence of keys, and no work that blocks the queue. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createKeyedQueue, createSerialQueue, inOrder } from './keyed-queue.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that tells when it begins and ends when told to. */
function fixture() {
  const queue = createKeyedQueue();
  const begun: string[] = [];
  return {
    queue,
    begun,
    ask(key: string, name: string, signal?: AbortSignal) {
      const end = Promise.withResolvers<string>();
      const work = (): Promise<string> => {
        begun.push(name);
        return end.promise;
      };
      return { end, done: queue.run(key, work, signal) };
    },
  };
}

describe('a keyed queue', () => {
  it('begins at once where nothing waits, and lets no key wait for another', () => {
    const { ask, begun } = fixture();
    ask('one', 'a');
    ask('one', 'b');
    ask('two', 'c');
    assert.deepEqual(begun, ['a', 'c']);
  });

  it('goes on behind work that fails, in the order of asking', async () => {
    const { ask, begun } = fixture();
    const [a, b, c] = [ask('k', 'a'), ask('k', 'b'), ask('k', 'c')];
    a.end.reject(new Error('broken'));
    await assert.rejects(a.done, /broken/);
    await turn();
    assert.deepEqual(begun, ['a', 'b']);
    b.end.resolve('B');
    c.end.resolve('C');
    assert.deepEqual(await Promise.all([b.done, c.done]), ['B', 'C']);
    assert.deepEqual(begun, ['a', 'b', 'c']);
  });

  it('tells of work that throws before there is a promise, and goes on', async () => {
    const queue = createKeyedQueue();
    const broken = queue.run('k', () => {
      throw new Error('at once');
    });
    await assert.rejects(broken, /at once/);
    assert.equal(await queue.run('k', async () => 'next'), 'next');
  });

  it('gives up waiting when told to: it never runs, and those behind it overtake nobody', async () => {
    const { ask, begun } = fixture();
    const stop = new AbortController();
    const [a, b, c] = [ask('k', 'a'), ask('k', 'b', stop.signal), ask('k', 'c')];
    stop.abort();
    await assert.rejects(b.done, { code: 'aborted' });
    await turn();
    assert.deepEqual(begun, ['a']);
    a.end.resolve('A');
    c.end.resolve('C');
    await c.done;
    assert.deepEqual(begun, ['a', 'c']);
  });

  it('lets work that has begun end by itself, and begins nothing for a signal that has fired', async () => {
    const { ask, begun } = fixture();
    const stop = new AbortController();
    const a = ask('k', 'a', stop.signal);
    stop.abort();
    a.end.resolve('A');
    assert.equal(await a.done, 'A');
    await assert.rejects(ask('k', 'late', stop.signal).done, { code: 'aborted' });
    assert.deepEqual(begun, ['a']);
  });

  it('knows what is busy, forgets a key with its last work, and tells when all is over', async () => {
    const { queue, ask } = fixture();
    const [a, b] = [ask('one', 'a'), ask('two', 'b')];
    const over: string[] = [];
    void queue.idle('one').then(() => over.push('one'));
    void queue.idle().then(() => over.push('all'));
    assert.deepEqual([queue.isBusy('one'), queue.isBusy('three')], [true, false]);
    a.end.resolve('A');
    await a.done;
    assert.equal(queue.isBusy('one'), false, 'before whoever asked goes on');
    await turn();
    assert.deepEqual(over, ['one']);
    b.end.reject(new Error('broken'));
    await assert.rejects(b.done);
    await turn();
    assert.deepEqual(over, ['one', 'all']);
    await queue.idle('never heard of');
  });

  it('whatever is asked for: one at a time within a key, each once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean())), async (asked) => {
        const queue = createKeyedQueue();
        const ran: [string, number][] = [];
        const running = new Set<string>();
        await Promise.allSettled(
          asked.map(([key, fails], index) =>
            queue.run(key, async () => {
              assert.ok(!running.has(key));
              running.add(key);
              await Promise.resolve();
              running.delete(key);
              ran.push([key, index]);
              if (fails) throw new Error('as asked');
            }),
          ),
        );
        for (const key of ['a', 'b', 'c'])
          assert.deepEqual(
            ran.filter(([its]) => its === key).map(([, index]) => index),
            asked.flatMap(([its], index) => (its === key ? [index] : [])),
          );
      }),
    );
  });
});

it('a serial queue is one for everything', async () => {
  const { run: inTurn, idle } = createSerialQueue();
  const first = Promise.withResolvers<void>();
  const ends: string[] = [];
  const all = Promise.all([
    inTurn(async () => {
      await first.promise;
      ends.push('first');
    }),
    inTurn(async () => ends.push('second')),
  ]);
  first.resolve();
  await Promise.all([all, idle()]);
  assert.deepEqual(ends, ['first', 'second']);
});

describe('what is prepared side by side', () => {
  function gate() {
    const queue = createKeyedQueue();
    const entered: string[] = [];
    const enter = (key: string, ready: Promise<string>): void =>
      void inOrder(queue, key, ready).then(
        (name) => entered.push(name),
        (error: Error) => entered.push(error.message),
      );
    return { queue, entered, enter };
  }

  it('arrives in the order it came in, per key', async () => {
    const { queue, entered, enter } = gate();
    const slow = Promise.withResolvers<string>();
    enter('s', slow.promise);
    enter('s', Promise.resolve('quick'));
    enter('other', Promise.resolve('elsewhere'));
    await turn();
    assert.deepEqual(entered, ['elsewhere']);
    enter('s', Promise.resolve('last'));
    slow.resolve('slow');
    await turn();
    assert.deepEqual(entered, ['elsewhere', 'slow', 'quick', 'last']);
    assert.equal(queue.isBusy('s'), false);
  });

  it('is told at once that it failed, and lets nobody overtake by that', async () => {
    const { queue, entered, enter } = gate();
    const slow = Promise.withResolvers<string>();
    enter('s', slow.promise);
    enter('s', Promise.reject(new Error('disk full')));
    enter('s', Promise.resolve('next'));
    await turn();
    assert.deepEqual(entered, ['disk full'], 'the next one still waits for the first');
    slow.resolve('first');
    await turn();
    assert.deepEqual([entered, queue.isBusy('s')], [['disk full', 'first', 'next'], false]);
  });
});
