// Questions to people: asked once, answered once, by whoever is first, until their time is up.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApprovalRequested } from '../../../core/approval.ts';
import { silentLog } from '../../../core/log.ts';
import { present } from '../../../core/present.ts';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import { sampleQuestion } from '../fake-approvals.ts';
import { createPending, type Pending } from './pending.ts';

const clockAt = createFakeClock;
const never = (): AbortSignal => new AbortController().signal;

function harness(ids?: readonly string[]) {
  const clock = clockAt();
  const queue = [...(ids ?? [])];
  const pending = createPending({
    clock,
    log: silentLog,
    ...present({ newId: ids ? () => queue.shift()! : undefined }),
  });
  const news: string[] = [];
  pending.subscribe(
    (one) =>
      void news.push(
        'requested' in one ? `asked ${one.requested.slug}` : `${one.resolved.id.slice(0, 8)} ${one.resolved.decision}`,
      ),
  );
  return { clock, pending, news };
}

function ask(pending: Pending, options: Partial<Parameters<Pending['ask']>[1]> = {}, patch = {}): ApprovalRequested {
  const asked = pending.ask(sampleQuestion(patch), { timeoutMs: 120_000, signal: never(), ...options });
  assert.ok(!('problem' in asked), JSON.stringify(asked));
  return asked;
}

describe('a question', () => {
  it('is answered by the first, and everybody hears', async () => {
    const { clock, pending, news } = harness();
    const { request, decided } = ask(pending);
    assert.deepEqual(
      [request.expiresAt - request.createdAt, request.slug, pending.list()],
      [120_000, request.id.slice(0, 8), [request]],
    );
    await clock.advance(5000);
    const resolution = pending.resolve(request.id, 'allow-once', 'webchat operator');
    assert.deepEqual(resolution, { id: request.id, decision: 'allow-once', by: 'webchat operator', at: clock.now() });
    assert.deepEqual(await decided, resolution);
    assert.throws(() => pending.resolve(request.slug, 'deny', 'telegram 4711'), {
      code: 'conflict',
      message: /already settled: it was answered allow-once by webchat operator/,
    });
    assert.throws(() => pending.resolve(request.id, 'deny', 'telegram 4711'), { code: 'conflict' });
    assert.deepEqual(news, [`asked ${request.slug}`, `${request.slug} allow-once`]);
    assert.deepEqual([pending.list(), clock.pending()], [[], 0]);
  });

  it('T59 expires', async () => {
    const { clock, pending } = harness();
    const { request, decided } = ask(pending);
    await clock.advance(119_999);
    assert.equal(pending.list().length, 1);
    await clock.advance(1);
    assert.equal((await decided).decision, 'expired');
    assert.throws(() => pending.resolve(request.id, 'allow-once', 'x'), {
      code: 'conflict',
      message: /it expired/,
    });
  });

  it('is taken back when the turn is stopped', async () => {
    const { clock, pending } = harness();
    const turn = new AbortController();
    const { request, decided } = ask(pending, { signal: turn.signal });
    turn.abort();
    assert.equal((await decided).decision, 'withdrawn');
    assert.throws(() => pending.resolve(request.id, 'allow-once', 'x'), { code: 'conflict', message: /withdrawn/ });
    assert.equal(
      (await ask(pending, { signal: turn.signal }).decided).decision,
      'withdrawn',
      'a turn that is stopped already asks nobody',
    );
    assert.equal(clock.pending(), 0);
  });

  it('an answer before the stop is not taken back by it', async () => {
    const { pending, news } = harness();
    const turn = new AbortController();
    const { request, decided } = ask(pending, { signal: turn.signal });
    pending.resolve(request.id, 'deny', 'x');
    turn.abort();
    assert.equal((await decided).decision, 'deny');
    assert.equal(news.length, 2);
  });

  it('always is refused where it is not offered, and the question stands', () => {
    const { pending } = harness();
    const { request } = ask(pending, {}, { rememberable: false });
    assert.throws(() => pending.resolve(request.id, 'allow-always', 'x'), {
      code: 'invalid',
      message: /allow-once or deny/,
    });
    assert.throws(() => pending.resolve(request.id, 'yes' as never, 'x'), { code: 'invalid' });
    assert.equal(pending.list().length, 1);
  });
});

describe('naming one', () => {
  const ids = ['abcd1111-1', 'abcd2222-2', 'ffff0000-3'];

  it('takes the id, the slug, or an unambiguous beginning, in either case', () => {
    for (const name of ['ffff0000-3', 'FFFF0000', 'ffff', ' ffff0 ']) {
      const { pending } = harness(ids);
      for (const _ of ids) ask(pending);
      assert.equal(pending.resolve(name, 'deny', 'x').id, 'ffff0000-3', name);
    }
  });

  it('refuses what is ambiguous, too short, or unknown', () => {
    const { pending } = harness(ids);
    for (const _ of ids) ask(pending);
    assert.throws(() => pending.resolve('abcd', 'deny', 'x'), { code: 'invalid', message: /abcd1111, abcd2222/ });
    for (const short of ['', 'f', 'fff', '  '])
      assert.throws(() => pending.resolve(short, 'allow-once', 'x'), {
        code: 'invalid',
        message: /at least its first 4/,
      });
    assert.throws(() => pending.resolve('9999', 'deny', 'x'), { code: 'not_found' });
    assert.throws(() => pending.resolve('ffff0000-3-and-more', 'deny', 'x'), { code: 'not_found' });
    assert.equal(pending.list().length, 3);
  });

  it('a beginning means what waits, not what was answered', () => {
    const { pending } = harness(['abcd1111-1', 'abcd2222-2']);
    pending.resolve(ask(pending).request.id, 'deny', 'x');
    ask(pending);
    assert.equal(pending.resolve('abcd', 'deny', 'x').id, 'abcd2222-2');
    assert.throws(() => pending.resolve('abcd', 'deny', 'x'), { code: 'conflict' });
  });

  it('slugs are unique among those that wait', () => {
    const { pending } = harness(['abcd1111-1', 'abcd1111-2', 'eeee0000-3']);
    assert.deepEqual(
      [ask(pending), ask(pending)].map(({ request }) => request.slug),
      ['abcd1111', 'eeee0000'],
    );
  });

  it('T52 an id made up by who asks is kept, and cannot be used twice', async () => {
    const { pending } = harness();
    const { request } = ask(pending, { id: 'node-run-7' });
    assert.equal(request.id, 'node-run-7');
    const again = pending.ask(sampleQuestion(), { timeoutMs: 1, signal: never(), id: 'node-run-7' });
    assert.ok('problem' in again && /already/.test(again.problem));
    pending.resolve('node-run-7', 'deny', 'x');
    assert.ok('problem' in pending.ask(sampleQuestion(), { timeoutMs: 1, signal: never(), id: 'node-run-7' }));
    assert.equal((await pending.find('node-run-7')!.decided).decision, 'deny');
    assert.equal(pending.find('node-run'), undefined);
  });
});

describe('bounds', () => {
  it('a hundred wait at most', () => {
    const { pending } = harness();
    const all = Array.from({ length: 100 }, () => ask(pending));
    const refused = pending.ask(sampleQuestion(), { timeoutMs: 1, signal: never() });
    assert.ok('problem' in refused && /100 approvals are already pending/.test(refused.problem));
    pending.resolve(all[0]!.request.id, 'deny', 'x');
    ask(pending);
  });

  it('the last fifty answers are remembered', () => {
    const { pending } = harness();
    const all = Array.from({ length: 51 }, () => ask(pending));
    for (const { request } of all) pending.resolve(request.id, 'deny', 'x');
    assert.throws(() => pending.resolve(all[0]!.request.id, 'deny', 'x'), { code: 'not_found' });
    assert.throws(() => pending.resolve(all[1]!.request.id, 'deny', 'x'), { code: 'conflict' });
  });

  it('who stopped listening hears nothing', () => {
    const { pending } = harness();
    const heard: unknown[] = [];
    const stop = pending.subscribe((news) => void heard.push(news));
    ask(pending);
    stop();
    ask(pending);
    assert.equal(heard.length, 1);
  });
});
