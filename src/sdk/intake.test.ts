/** An intake: order in each chat despite failures, retries until accepted, and no loss at the end. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createIntake } from './intake.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function fixture(options: { readonly maxPending?: number; readonly closeMs?: number } = {}) {
  const clock = createFakeClock();
  const logged: [string, object | undefined][] = [];
  const note = (event: string, fields?: object): void => void logged.push([event, fields]);
  const log = { debug: note, info: note, warn: note, error: note } as unknown as Log;
  const intake = createIntake({ log, clock, random: () => 0.5, ...options });
  const tried: string[] = [];
  return {
    clock,
    intake,
    tried,
    events: () => logged.map(([event]) => event),
    waits: () => logged.flatMap(([, fields]) => (fields && 'waitMs' in fields ? [fields.waitMs] : [])),
    /** Work that fails with these, one after the other, before it gives its name. */
    take(key: string, name: string, ...failures: readonly unknown[]) {
      const left = [...failures];
      return intake.take(key, async () => {
        tried.push(name);
        if (left.length > 0) throw left.shift();
        return name;
      });
    },
  };
}

const refused = (code: ConstructorParameters<typeof AppError>[0], retryAfterMs?: number): AppError =>
  new AppError(code, 'not now', { retryAfterMs });

describe('an intake', () => {
  it('tries again what may pass, with growing pauses, before what stands behind it', async () => {
    const s = fixture();
    const both = Promise.all([
      s.take('chat', 'first', refused('unavailable'), refused('storage'), refused('network')),
      s.take('chat', 'second'),
    ]);
    await s.clock.advance(249);
    assert.deepEqual(s.tried, ['first']);
    await s.clock.advance(1);
    assert.deepEqual(s.tried, ['first', 'first']);
    await s.clock.advance(1500);
    assert.deepEqual(await both, ['first', 'second']);
    assert.deepEqual(s.tried, ['first', 'first', 'first', 'first', 'second']);
    assert.deepEqual([s.events(), s.waits()], [Array(3).fill('intake.retry'), [250, 500, 1000]]);
  });

  it('waits as long as it is asked to, and at most half a minute by itself', async () => {
    const s = fixture();
    const taken = s.take(
      'chat',
      'x',
      refused('rate_limited', 90_000),
      ...Array.from({ length: 9 }, () => refused('unavailable')),
    );
    await s.clock.advance(300_000);
    assert.equal(await taken, 'x');
    assert.deepEqual(s.waits(), [90_000, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000].slice(0, 10));
  });

  it('gives up what fails time and again and will not pass, says so, and goes on with what stands behind it', async () => {
    const s = fixture();
    const mended = s.take('one', 'mended', new TypeError('x'), refused('invalid'));
    const poison = s.take('two', 'poison', ...Array.from({ length: 100 }, () => new TypeError('x')));
    const odd = s.take('three', 'odd', ...Array.from({ length: 100 }, () => refused('denied')));
    const behind = s.take('two', 'behind');
    await s.clock.advance(10_000);
    assert.deepEqual(await Promise.all([mended, poison, odd, behind]), ['mended', undefined, undefined, 'behind']);
    assert.deepEqual(
      ['poison', 'odd'].map((name) => s.tried.filter((one) => one === name).length),
      [6, 6],
    );
    assert.equal(s.events().filter((event) => event === 'intake.dropped').length, 2);
  });

  it('lets no chat wait for another, and 32 at a time', async () => {
    const s = fixture();
    const ends = Array.from({ length: 33 }, () => Promise.withResolvers<void>());
    const running = ends.map(({ promise }, index) =>
      s.intake.take(`chat ${index}`, () => {
        s.tried.push(String(index));
        return promise;
      }),
    );
    await turn();
    assert.equal(s.tried.length, 32);
    ends[7]!.resolve();
    await running[7];
    await turn();
    assert.equal(s.tried.at(-1), '32');
    for (const { resolve } of ends) resolve();
    await Promise.all(running);
  });

  it('refuses what is over its limit, and takes again once there is room', async () => {
    const s = fixture({ maxPending: 2 });
    const end = Promise.withResolvers<void>();
    const waiting = [s.intake.take('chat', () => end.promise), s.take('chat', 'behind')];
    await assert.rejects(s.take('other', 'over'), { code: 'overloaded' });
    end.resolve();
    await Promise.all(waiting);
    assert.equal(await s.take('other', 'again'), 'again');
    assert.deepEqual(s.tried, ['behind', 'again']);
  });
});

describe('the end of an intake', () => {
  it('waits for what runs, cuts short what waits or is tried again, and takes no more', async () => {
    const s = fixture();
    const end = Promise.withResolvers<string>();
    const runs = s.intake.take('one', () => end.promise);
    const behind = s.take('one', 'behind');
    const again = s.take('two', 'again', refused('unavailable', 60_000));
    const cut = [behind, again].map((taken) => assert.rejects(taken, { code: 'aborted' }));
    await turn();
    const state = { closed: false };
    const closing = s.intake[Symbol.asyncDispose]().then(() => (state.closed = true));
    await Promise.all(cut);
    await assert.rejects(s.take('three', 'late'), { code: 'aborted' });
    await turn();
    assert.equal(state.closed, false, 'something runs');
    end.resolve('taken');
    assert.equal(await runs, 'taken');
    await closing;
    assert.deepEqual(s.tried, ['again']);
  });

  it('does not wait for ever', async () => {
    const s = fixture({ closeMs: 1000 });
    void s.intake.take('one', () => new Promise(() => undefined));
    const closing = s.intake[Symbol.asyncDispose]();
    await s.clock.advance(1000);
    await closing;
    assert.equal(s.clock.pending(), 0);
  });

  it('comes to work that was stopped along with it as an end, not as a loss', async () => {
    const s = fixture();
    const taken = s.take('one', 'x', refused('aborted'));
    const cut = assert.rejects(taken, { code: 'aborted' });
    await turn();
    await s.intake[Symbol.asyncDispose]();
    await cut;
    assert.ok(!s.events().includes('intake.dropped'));
  });
});
