/** Replies that are written as begun, because they go out as soon as they are on disk. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outboxHarness } from '../../testing/outbox-harness.ts';

describe('a reply that goes out as soon as it is on disk', () => {
  const posted = (s: ReturnType<typeof outboxHarness>, id: number): boolean => {
    s.row(id);
    const begins = s.sender.begins(s.rows.get(id)!);
    if (begins) s.row(id, { state: 'sending', attempts: 1 });
    if (begins) s.state.begun.add(id);
    return begins;
  };

  it('is marked in the commit that brings it, and nothing about it is uncertain', async () => {
    const s = outboxHarness({
      readBack: async () => {
        throw new Error('nobody asks');
      },
    });
    assert.equal(posted(s, 1), true);
    assert.deepEqual([(await s.sender.send(1))?.status, s.sent], ['sent', ['t1']]);
  });

  it('is uncertain in the next run', async () => {
    const read: string[] = [];
    const s = outboxHarness({ readBack: async (token) => (read.push(token), []) });
    assert.equal((await s.sender.send(s.row(1, { state: 'sending', attempts: 1 })))?.status, 'sent');
    assert.deepEqual(read, ['t1']);
  });

  it('is marked before it is sent where the commit that was to mark it failed', async () => {
    const s = outboxHarness();
    s.row(1);
    s.sender.begins(s.rows.get(1)!);
    const answered = Promise.withResolvers<void>();
    s.answers.push(answered.promise);
    const sending = s.sender.send(1);
    await s.clock.advance(0);
    assert.equal(s.stateOf(1), 'sending');
    answered.resolve();
    await sending;
  });

  it('waits like any other when the channel goes away before', async () => {
    const s = outboxHarness();
    posted(s, 1);
    s.state.connected = false;
    assert.equal(await s.sender.send(1), undefined);
    assert.equal(s.stateOf(1), 'pending');
  });

  it('has its end when it is withdrawn before it is sent', async () => {
    const s = outboxHarness();
    posted(s, 1);
    s.sender.withdraw(1);
    await s.clock.advance(0);
    assert.deepEqual([s.stateOf(1), s.sent], ['failed', []]);
  });

  it('is not said again in the next run when it was a preview, unlike an answer', async () => {
    const s = outboxHarness();
    const left = { state: 'sending', attempts: 1 } as const;
    assert.equal((await s.sender.send(s.row(1, { ...left, token: 'r:preview', runId: 'r' })))?.status, 'failed');
    assert.equal((await s.sender.send(s.row(2, { ...left, token: 'r:0', runId: 'r' })))?.status, 'sent');
    assert.deepEqual(s.sent, ['r:0']);
  });

  it('is none that stands behind another, where a token shows once, or where nobody is connected', async () => {
    const s = outboxHarness();
    const first = Promise.withResolvers<void>();
    s.answers.push(first.promise);
    const sending = s.sender.send(s.row(1));
    assert.equal(posted(s, 2), false);
    first.resolve();
    await sending;
    assert.equal(posted(outboxHarness({ idempotent: true }), 1), false);
    const gone = outboxHarness();
    gone.state.connected = false;
    assert.equal(posted(gone, 1), false);
  });
});
