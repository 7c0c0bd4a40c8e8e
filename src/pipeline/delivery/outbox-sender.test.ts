/** The outbox sender: in order per chat, until the platform took it, and never twice where that can be known (P6). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { outboxHarness } from '../../testing/outbox-harness.ts';

const busy = (retryAfterMs?: number): AppError => new AppError('rate_limited', 'slow down', { retryAfterMs });
const noAnswer = (): AppError => new AppError('timeout', 'no answer');

describe('sending', () => {
  it('marks the row before and after, and answers with the ids of the platform', async () => {
    const s = outboxHarness();
    assert.deepEqual(await s.sender.send(s.row(1)), { status: 'sent', messageIds: ['p-t1'] });
    assert.deepEqual(
      [s.stateOf(1), s.rows.get(1)!.attempts, s.checkpoints],
      ['sent', 1, ['send.before', 'send.after', 'send.acknowledged']],
    );
  });

  it('keeps the order of a chat while one waits, and lets other chats pass', async () => {
    const s = outboxHarness();
    s.answers.push(busy(700));
    const all = [s.sender.send(s.row(1)), s.sender.send(s.row(2)), s.sender.send(s.row(3, { chat: 'other' }))];
    await all[2];
    assert.deepEqual(s.sent, ['t1', 't3']);
    await s.clock.advance(700);
    await Promise.all(all);
    assert.deepEqual(s.sent, ['t1', 't3', 't1', 't2']);
  });

  it('asked for twice sends once, while it is under way and afterwards', async () => {
    const s = outboxHarness();
    s.answers.push(busy(1000));
    const first = s.sender.send(s.row(1));
    s.sender.resume();
    const second = s.sender.send(1);
    await s.clock.advance(1000);
    assert.deepEqual(await first, await second);
    assert.equal(await s.sender.send(1), undefined);
    assert.deepEqual(s.sent, ['t1', 't1'], 'the refused one and its retry');
  });

  it('knows no row that is not there', async () => assert.equal(await outboxHarness().sender.send(7), undefined));
});

describe('a refusal', () => {
  it('that passes is tried again when the platform said, else with growing pauses', async () => {
    const s = outboxHarness();
    s.answers.push(busy(1234), busy());
    const sending = s.sender.send(s.row(1));
    await s.clock.advance(1233);
    assert.deepEqual([s.sent.length, s.stateOf(1)], [1, 'pending']);
    await s.clock.advance(1);
    assert.equal(s.sent.length, 2);
    await s.clock.advance(1000);
    assert.equal((await sending)?.status, 'sent');
  });

  it('that keeps coming ends with a failed row', async () => {
    const s = outboxHarness();
    s.answers.push(busy(), busy(), busy(), busy());
    const sending = s.sender.send(s.row(1));
    await s.clock.advance(60_000);
    assert.deepEqual(await sending, { status: 'failed', error: 'slow down' });
    assert.deepEqual([s.sent.length, s.stateOf(1)], [3, 'failed']);
  });

  it('for good is not tried again, and the next message goes out', async () => {
    const s = outboxHarness();
    s.answers.push(new AppError('denied', 'blocked by the person'));
    const [first, second] = await Promise.all([s.sender.send(s.row(1)), s.sender.send(s.row(2))]);
    assert.deepEqual([first?.status, second?.status, s.sent], ['failed', 'sent', ['t1', 't2']]);
  });
});

describe('a send without an answer', () => {
  it('is looked up: found means sent', async () => {
    const s = outboxHarness({ readBack: async (token) => [`found-${token}`] });
    s.answers.push(noAnswer());
    const sending = s.sender.send(s.row(1));
    await s.clock.advance(500);
    assert.deepEqual(await sending, { status: 'sent', messageIds: ['found-t1'] });
    assert.deepEqual([s.sent, s.stateOf(1)], [['t1'], 'sent']);
  });

  it('is looked up: not found means sent again', async () => {
    const s = outboxHarness({ readBack: async () => [] });
    s.answers.push(noAnswer());
    const sending = s.sender.send(s.row(1));
    await s.clock.advance(500);
    assert.equal((await sending)?.status, 'sent');
    assert.deepEqual(s.sent, ['t1', 't1']);
  });

  for (const [who, readBack] of [
    ['nobody can tell', async () => undefined],
    ['nobody can ever look', undefined],
  ] as const)
    it(`is said once more where ${who}: rather twice than never, and not for ever`, async () => {
      const s = outboxHarness(readBack ? { readBack } : {});
      s.answers.push(noAnswer());
      const sending = s.sender.send(s.row(1));
      await s.clock.advance(500);
      assert.deepEqual(
        [(await sending)?.status, s.sent, s.sender.counts({ channel: 'pipe', accountId: 'default' }).repeated],
        ['sent', ['t1', 't1'], 1],
      );
      const deaf = outboxHarness(present({ readBack, maxAttempts: 10 }));
      deaf.answers.push(noAnswer(), noAnswer(), noAnswer());
      const again = deaf.sender.send(deaf.row(1));
      await deaf.clock.advance(50_000);
      assert.match(JSON.stringify(await again), /failed.*unknown whether pipe received.*after 2 retries/);
      assert.deepEqual([deaf.sent, deaf.failures.length], [['t1', 't1', 't1'], 1]);
    });

  it('is not repeated while the platform cannot be reached, however long that takes', async () => {
    const s = outboxHarness({ maxAttempts: 100 });
    s.answers.push(noAnswer());
    s.state.reachable = false;
    const sending = s.sender.send(s.row(1));
    await s.clock.advance(600_000);
    assert.deepEqual([s.sent, s.stateOf(1)], [['t1'], 'uncertain']);
    s.state.reachable = true;
    await s.clock.advance(60_000);
    assert.deepEqual([(await sending)?.status, s.sent], ['sent', ['t1', 't1']]);
  });

  it('is not sent again while nobody can look', async () => {
    const failures: Error[] = [
      new AppError('denied', 'history is closed'),
      new AppError('network', 'down'),
      new Error('strange'),
    ];
    const s = outboxHarness({
      readBack: async () => {
        throw failures.shift()!;
      },
    });
    s.answers.push(noAnswer());
    const sending = s.sender.send(s.row(1));
    await s.clock.advance(60_000);
    assert.match(JSON.stringify(await sending), /failed.*Could not check whether/);
    assert.deepEqual(s.sent, ['t1']);
  });

  it('is simply repeated where the platform shows a token once', async () => {
    const s = outboxHarness({ idempotent: true });
    s.answers.push(noAnswer());
    const sending = s.sender.send(s.row(1));
    await s.clock.advance(500);
    assert.equal((await sending)?.status, 'sent');
    assert.deepEqual(s.sent, ['t1', 't1']);
  });

  for (const state of ['sending', 'uncertain'] as const)
    it(`in an earlier run (${state}) is treated the same`, async () => {
      const blind = outboxHarness();
      assert.equal((await blind.sender.send(blind.row(1, { state, attempts: 1 })))?.status, 'sent');
      assert.deepEqual(blind.sent, ['t1']);
      const seeing = outboxHarness({ readBack: async () => [] });
      assert.equal((await seeing.sender.send(seeing.row(1, { state, attempts: 1 })))?.status, 'sent');
      assert.deepEqual(seeing.sent, ['t1']);
    });
});

describe('a preview', () => {
  const preview = { token: 'p', state: 'sent', messageIds: ['m1'], payload: { kind: 'interim', text: 'h' } } as const;
  const final = { payload: { kind: 'final', text: 'hello', replaces: 'p' } } as const;

  it('becomes the answer, once nobody else changes it', async () => {
    const s = outboxHarness({ edit: async () => {} });
    s.row(1, preview);
    const other = Promise.withResolvers<void>();
    s.changing.set('p', other.promise);
    const sending = s.sender.send(s.row(2, final));
    await s.clock.advance(0);
    assert.deepEqual(s.sent, []);
    other.resolve();
    assert.deepEqual([await sending, s.sent], [{ status: 'sent', messageIds: ['m1'] }, ['edit m1: hello']]);
  });

  it('whose edit got no answer is edited again: it is never uncertain', async () => {
    const answers = [noAnswer(), busy(900)];
    const s = outboxHarness({
      edit: async () => {
        const error = answers.shift();
        if (error) throw error;
      },
    });
    s.row(1, preview);
    const sending = s.sender.send(s.row(2, final));
    await s.clock.advance(500);
    assert.equal(s.stateOf(2), 'pending');
    await s.clock.advance(900);
    assert.equal((await sending)?.status, 'sent');
    assert.equal(s.sent.length, 3);
  });

  it('that is gone, was never shown or cannot be changed leaves the answer to be sent', async () => {
    const gone = outboxHarness({
      edit: async () => {
        throw new AppError('not_found', 'gone');
      },
    });
    gone.row(1, preview);
    await gone.sender.send(gone.row(2, final));
    const unshown = outboxHarness({ edit: async () => {} });
    const { messageIds: _none, ...failed } = { ...preview, state: 'failed' as const };
    unshown.row(1, failed);
    await unshown.sender.send(unshown.row(2, final));
    const rigid = outboxHarness();
    rigid.row(1, preview);
    await rigid.sender.send(rigid.row(2, final));
    assert.deepEqual([gone.sent, unshown.sent, rigid.sent], [['edit m1: hello', 't2'], ['t2'], ['t2']]);
  });

  it('that waits does not hold up the answer', async () => {
    const s = outboxHarness({ edit: async () => {} });
    s.answers.push(busy(60_000));
    const { messageIds: _none, ...waiting } = { ...preview, state: 'pending' as const };
    const early = s.sender.send(s.row(1, waiting));
    await s.clock.advance(0);
    const sending = s.sender.send(s.row(2, final));
    s.sender.withdraw(1);
    assert.deepEqual(
      [(await early)?.status, (await sending)?.status, s.sent, s.failures],
      ['failed', 'sent', ['p', 't2'], []],
    );
  });
});

it('what was withdrawn before anybody asked for it is not sent in another run', async () => {
  const s = outboxHarness();
  s.sender.withdraw(s.row(1));
  s.sender.resume();
  await s.clock.advance(0);
  assert.deepEqual([s.stateOf(1), s.sent], ['failed', []]);
});

describe('what became of it', () => {
  it('is counted for each account', async () => {
    const s = outboxHarness();
    s.answers.push(new AppError('denied', 'blocked'));
    await Promise.all([s.sender.send(s.row(1)), s.sender.send(s.row(2))]);
    assert.deepEqual(
      [
        s.sender.counts({ channel: 'pipe', accountId: 'default' }),
        s.sender.counts({ channel: 'pipe', accountId: 'other' }),
      ],
      [
        { sent: 1, failed: 1, repeated: 0 },
        { sent: 0, failed: 0, repeated: 0 },
      ],
    );
    assert.deepEqual(s.failures, ['t1: blocked']);
  });

  it('a wait the platform asked for is kept to, however long', async () => {
    const s = outboxHarness();
    s.answers.push(busy(3_600_000.2));
    const sending = s.sender.send(s.row(1));
    await s.clock.advance(3_600_000);
    assert.equal(s.sent.length, 1);
    await s.clock.advance(1);
    assert.equal((await sending)?.status, 'sent');
  });
});

describe('while nothing can be sent', () => {
  it('because the channel is down, rows wait for as long as it takes', async () => {
    const s = outboxHarness();
    s.state.connected = false;
    assert.deepEqual([await s.sender.send(s.row(1)), await s.sender.send(s.row(2))], [undefined, undefined]);
    await s.clock.advance(24 * 3_600_000);
    assert.deepEqual([s.stateOf(1), s.sent], ['pending', []]);
    s.state.connected = true;
    s.sender.resume();
    await s.sender.send(2);
    assert.deepEqual(s.sent, ['t1', 't2']);
  });

  it('because the disk has not taken what can be read, nothing is sent, and nothing that comes later overtakes it', async () => {
    const s = outboxHarness();
    s.row(1);
    const disk = (s.state.disk = Promise.withResolvers<void>());
    s.sender.resume();
    const later = s.sender.send(s.row(2));
    await s.clock.advance(0);
    assert.deepEqual(s.sent, []);
    disk.resolve();
    await later;
    assert.deepEqual(s.sent, ['t1', 't2']);
  });

  it('because the channel comes back in the very moment a row finds it gone, the row goes', async () => {
    const s = outboxHarness();
    s.state.connected = false;
    s.row(1);
    s.state.alone = () => {
      s.state.connected = true;
      s.sender.resume();
    };
    s.sender.resume();
    await s.clock.advance(0);
    assert.deepEqual([s.stateOf(1), s.sent], ['sent', ['t1']]);
  });

  it('because the channel is back only for the second row of a chat, the first one goes first all the same', async () => {
    const s = outboxHarness();
    s.state.connected = false;
    for (const id of [1, 2]) s.row(id);
    s.row(3, { chat: 'other' });
    s.state.alone = () => {
      s.state.connected = true;
    };
    s.sender.resume();
    await s.clock.advance(0);
    assert.deepEqual(
      s.sent.filter((token) => token !== 't3'),
      ['t1', 't2'],
    );
    assert.ok(s.sent.includes('t3'));
  });

  it('because the one before it ended elsewhere meanwhile, the next one goes', async () => {
    const s = outboxHarness();
    s.state.connected = false;
    assert.equal(await s.sender.send(s.row(1)), undefined);
    s.rows.set(1, { ...s.rows.get(1)!, state: 'failed' });
    s.state.connected = true;
    void s.sender.send(s.row(2));
    await s.clock.advance(0);
    assert.deepEqual([s.sent, s.stateOf(2)], [['t2'], 'sent']);
  });

  it('because the journal refuses, nothing is sent unmarked and nothing is lost', async () => {
    const s = outboxHarness();
    s.state.journalFails = true;
    assert.equal(await s.sender.send(s.row(1)), undefined);
    assert.deepEqual([s.sent, s.stateOf(1)], [[], 'pending']);
    s.state.journalFails = false;
    assert.equal((await s.sender.send(1))?.status, 'sent');
  });

  it('a send the journal could not note down is looked up, not repeated', async () => {
    const s = outboxHarness({ readBack: async (token) => [token] });
    const platform = Promise.withResolvers<void>();
    s.answers.push(platform.promise);
    const sending = s.sender.send(s.row(1));
    await s.clock.advance(0);
    s.state.journalFails = true;
    platform.resolve();
    assert.equal(await sending, undefined);
    s.state.journalFails = false;
    assert.equal((await s.sender.send(1))?.status, 'sent');
    assert.deepEqual(s.sent, ['t1']);
  });
});

describe('closing', () => {
  it('lets what is on its way arrive and leaves the rest for the next run', async () => {
    const s = outboxHarness();
    const platform = Promise.withResolvers<void>();
    s.answers.push(platform.promise);
    const sends = [s.sender.send(s.row(1)), s.sender.send(s.row(2))];
    await s.clock.advance(0);
    const closed = s.sender.close();
    platform.resolve();
    await closed;
    assert.deepEqual([(await sends[0])?.status, await sends[1]], ['sent', undefined]);
    assert.deepEqual([s.stateOf(1), s.stateOf(2), s.sent, s.clock.pending()], ['sent', 'pending', ['t1'], 0]);
  });

  it('does not wait for a retry', async () => {
    const s = outboxHarness();
    s.answers.push(busy(60_000));
    const sending = s.sender.send(s.row(1));
    await s.clock.advance(0);
    await s.sender.close();
    assert.deepEqual([await sending, s.stateOf(1)], [undefined, 'pending']);
  });

  it('does not wait for ever for a platform that never answers', async () => {
    const s = outboxHarness();
    s.answers.push(new Promise(() => {}));
    void s.sender.send(s.row(1));
    await s.clock.advance(0);
    const closed = s.sender.close(5000);
    await s.clock.advance(5000);
    await closed;
    assert.equal(s.stateOf(1), 'sending');
  });
});
