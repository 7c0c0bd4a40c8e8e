/** Semaphores: never more than their permits, first come, first served, and every permit is returned. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSemaphore } from './semaphore.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function fixture(permits: number) {
  const semaphore = createSemaphore(permits);
  const begun: string[] = [];
  return {
    semaphore,
    begun,
    ask(name: string, signal?: AbortSignal) {
      const end = Promise.withResolvers<string>();
      const work = (): Promise<string> => {
        begun.push(name);
        return end.promise;
      };
      return { end, done: semaphore.run(work, signal) };
    },
  };
}

describe('a semaphore', () => {
  it('runs as many as it has permits, at once, and the others in the order they came', async () => {
    const { semaphore, ask, begun } = fixture(2);
    const [a, b, c, d] = [ask('a'), ask('b'), ask('c'), ask('d')];
    assert.deepEqual([begun, semaphore.counts()], [['a', 'b'], { running: 2, waiting: 2 }]);
    b.end.resolve('B');
    assert.equal(await b.done, 'B');
    const e = ask('e');
    await turn();
    assert.deepEqual(begun, ['a', 'b', 'c'], 'who comes later is not faster than who waits');
    for (const { end } of [a, c, d, e]) end.resolve('over');
    await Promise.all([a, c, d, e].map(({ done }) => done));
    assert.deepEqual([begun, semaphore.counts()], [['a', 'b', 'c', 'd', 'e'], { running: 0, waiting: 0 }]);
  });

  it('gets a permit back from work that fails, also before there is a promise', async () => {
    const { semaphore, ask, begun } = fixture(1);
    const a = ask('a');
    const b = ask('b');
    a.end.reject(new Error('broken'));
    await assert.rejects(a.done, /broken/);
    b.end.resolve('B');
    await b.done;
    const atOnce = semaphore.run(() => {
      throw new Error('at once');
    });
    await assert.rejects(atOnce, /at once/);
    assert.deepEqual([begun, semaphore.counts()], [['a', 'b'], { running: 0, waiting: 0 }]);
  });

  it('forgets who gives up waiting, and lets go of nobody who runs', async () => {
    const { semaphore, ask, begun } = fixture(1);
    const stop = new AbortController();
    const a = ask('a', stop.signal);
    const [b, c] = [ask('b', stop.signal), ask('c')];
    stop.abort();
    await assert.rejects(b.done, { code: 'aborted' });
    assert.deepEqual(semaphore.counts(), { running: 1, waiting: 1 });
    a.end.resolve('A');
    assert.equal(await a.done, 'A');
    await assert.rejects(ask('late', stop.signal).done, { code: 'aborted' });
    c.end.resolve('C');
    await c.done;
    assert.deepEqual([begun, semaphore.counts()], [['a', 'c'], { running: 0, waiting: 0 }]);
  });

  it('keeps the permit of somebody who is stopped in the moment of getting it', async () => {
    const { semaphore, ask, begun } = fixture(1);
    const stop = new AbortController();
    const a = ask('a');
    const b = ask('b', stop.signal);
    a.end.resolve('A');
    await a.done;
    stop.abort();
    b.end.resolve('B');
    assert.equal(await b.done, 'B');
    assert.deepEqual([begun, semaphore.counts()], [['a', 'b'], { running: 0, waiting: 0 }]);
  });

  it('has one permit at least', async () => {
    assert.equal(await createSemaphore(0).run(async () => 'ran'), 'ran');
  });

  it('whatever fails: never more at once than permits, all of them in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.boolean()), async (permits, asked) => {
        const semaphore = createSemaphore(permits);
        const begun: number[] = [];
        let running = 0;
        await Promise.allSettled(
          asked.map((fails, index) =>
            semaphore.run(async () => {
              begun.push(index);
              assert.ok(++running <= permits);
              await Promise.resolve();
              running -= 1;
              if (fails) throw new Error('as asked');
            }),
          ),
        );
        assert.deepEqual(begun, [...asked.keys()]);
        assert.deepEqual(semaphore.counts(), { running: 0, waiting: 0 });
      }),
    );
  });
});
