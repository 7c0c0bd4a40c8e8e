// Sessions that talk, step by step, on a real journal: who is asked what, where answers go, what a crash at any write
// leaves.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noUsage } from '../../core/transcript.ts';
import { stepRunId } from './exchange.ts';
import { ID, A, B, ROOM, own, sent, signal, said, fixture } from './harness.ts';

describe('a message to another session', () => {
  it(
    '(T188) is answered, goes back and forth beginning with the requester, and ends with the target telling ' +
      'its own chat',
    async () => {
      await using it = await fixture((step, _row, nth) => (step === 'announce' ? 'We talked.' : `answer ${nth}`));
      const { exchanges } = it.instance();
      await exchanges.start();
      await exchanges.begin(sent);
      assert.deepEqual(await exchanges.whenEnded(ID, 0, { timeoutMs: 1000, signal }), {
        kind: 'said',
        text: 'answer 1',
      });
      await it.over();
      assert.deepEqual(it.steps(), [
        ['ask', B],
        ['reply', A],
        ['reply', B],
        ['announce', B],
      ]);
      assert.deepEqual(
        it.taken.map(({ route }) => route.replyTo),
        [own(B), own(A), own(B), ROOM],
        'only the announcement goes to a chat, and that is the target’s',
      );
      assert.ok(
        it.taken.every(
          ({ message, commands, authority, queue }) =>
            message.system &&
            !commands &&
            queue === 'followup' &&
            authority.rights.length === 0 &&
            authority.hands.length > 0,
        ),
      );
      assert.ok(
        it.taken[0]!.message.text.includes('What do you want?') &&
          it.taken[1]!.message.text.includes('answer 1') &&
          it.taken[2]!.message.text.includes('answer 2'),
      );
      assert.match(it.taken[1]!.message.text, /turn 1 of 2/);
      exchanges.close();
    },
  );

  it('(T188) ends when one of them says REPLY_SKIP or nothing; without an answer nothing follows', async () => {
    for (const [words, steps] of [
      [
        ['first', 'REPLY_SKIP', 'x'],
        ['ask', 'reply', 'announce'],
      ],
      [
        ['first', '  ', 'x'],
        ['ask', 'reply', 'announce'],
      ],
      [
        ['first', 'on', '**REPLY_SKIP**', 'x'],
        ['ask', 'reply', 'reply', 'announce'],
      ],
      [
        ['first', 'not REPLY_SKIP yet', 'more', 'x'],
        ['ask', 'reply', 'reply', 'announce'],
      ],
      [[''], ['ask']],
      [['NO_REPLY'], ['ask']],
      [['<think>hm</think>'], ['ask']],
    ] as const) {
      await using it = await fixture((_step, _row, nth) => words[nth - 1]!);
      const { exchanges } = it.instance();
      await exchanges.start();
      await exchanges.begin(sent);
      await it.over();
      assert.deepEqual(
        it.steps().map(([step]) => step),
        steps,
        words.join('|'),
      );
      exchanges.close();
    }
  });

  it('(T188) has no follow-up without turns, and none at all with announce: false', async () => {
    for (const [over, steps] of [
      [{ turns: 0 }, ['ask', 'announce']],
      [{ announce: false, turns: 0 }, ['ask']],
    ] as const) {
      await using it = await fixture();
      const { exchanges } = it.instance();
      await exchanges.start();
      await exchanges.begin({ ...sent, ...over });
      await it.over();
      assert.deepEqual(
        it.steps().map(([step]) => step),
        steps,
      );
      exchanges.close();
    }
  });

  it('goes on after the wait has ended, and says nothing more once a person has stopped it or a session is gone', async () => {
    await using late = await fixture(() => 'never');
    const first = late.instance();
    await first.exchanges.start();
    await first.exchanges.begin({ ...sent, turns: 0 });
    const waited = first.exchanges.whenEnded(ID, 0, { timeoutMs: 30_000, signal });
    await late.clock.advance(30_000);
    assert.equal(await waited, undefined);
    const row = (await late.journal.inbound.find(stepRunId(ID, 0)))!;
    await late.journal.inbound.end([row.seq], { state: 'answered' });
    first.hub.emit(row.runId, { type: 'ended', outcome: said('') });
    await late.over();
    first.exchanges.close();

    for (const spoil of [{ kind: 'aborted', text: 'half', usage: noUsage } as const, 'gone'] as const) {
      await using it = await fixture((step) => {
        if (step === 'reply' && spoil === 'gone') it.entries.delete(B);
        return step === 'reply' && spoil !== 'gone' ? spoil : 'hm';
      });
      const { exchanges } = it.instance();
      await exchanges.start();
      await exchanges.begin(sent);
      await it.over();
      assert.deepEqual(
        it.steps().map(([step]) => step),
        ['ask', 'reply'],
      );
      exchanges.close();
    }
  });

  it('(T194) two at once to one session each get the answer of their own run', async () => {
    await using it = await fixture((step, { message }) =>
      step === 'announce' ? '' : /number (\d)/.exec(message.text)![1]!,
    );
    const { exchanges } = it.instance();
    await exchanges.start();
    const ids = ['b', 'c', 'd'].map((letter) => letter.repeat(32));
    await Promise.all(ids.map((id, index) => exchanges.begin({ ...sent, id, turns: 0, request: `number ${index}` })));
    const ends = await Promise.all(ids.map((id) => exchanges.whenEnded(id, 0, { timeoutMs: 1000, signal })));
    assert.deepEqual(
      ends.map((end) => end?.kind === 'said' && end.text),
      ['0', '1', '2'],
    );
    for (const id of ids) await it.over(id);
    exchanges.close();
  });

  it('begun while the gateway stops is kept, and begins with the next start', async () => {
    await using it = await fixture();
    const first = it.instance();
    await first.exchanges.start();
    first.exchanges.close();
    await first.exchanges.begin({ ...sent, turns: 0 });
    assert.deepEqual(it.steps(), []);
    const second = it.instance();
    await second.exchanges.start();
    await it.over();
    assert.deepEqual(
      it.steps().map(([step]) => step),
      ['ask', 'announce'],
    );
    second.exchanges.close();
  });

  it('ends a wait with the turn that waits, and tells a failure as one', async () => {
    await using it = await fixture((step) =>
      step === 'ask' ? { kind: 'failed', code: 'network', message: 'The vendor is away.', usage: noUsage } : 'x',
    );
    const { exchanges } = it.instance();
    await exchanges.start();
    const gone = new AbortController();
    const waited = exchanges.whenEnded('e'.repeat(32), 0, { timeoutMs: 60_000, signal: gone.signal });
    gone.abort();
    await assert.rejects(waited, { code: 'aborted' });
    await assert.rejects(exchanges.whenEnded(ID, 0, { timeoutMs: 60_000, signal: gone.signal }), { code: 'aborted' });
    assert.equal(it.clock.pending(), 1, 'only the sweep waits');
    await exchanges.begin(sent);
    assert.deepEqual(await exchanges.whenEnded(ID, 0, { timeoutMs: 1000, signal }), {
      kind: 'failed',
      code: 'network',
      message: 'The vendor is away.',
    });
    await it.over();
    assert.deepEqual(
      it.steps().map(([step]) => step),
      ['ask'],
    );
    exchanges.close();
  });
});
