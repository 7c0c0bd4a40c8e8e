/** Contract of journals: the outbox keeps each reply once, with its progress (P6). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reply } from '../journal-rows.ts';
import type { OpenJournalFixture } from '../journal-harness.ts';
import { accepted } from '../sample-inbound.ts';

export function outboxContract(open: OpenJournalFixture): void {
  describe('the outbox', () => {
    it('takes a reply once, with the end of what it answers', async () => {
      await using s = await open();
      const { row } = await s.journal.inbound.accept(accepted(), 'r1');
      const [id] = await s.journal.outbox.post([reply('r1:notice')], [{ seq: row.seq, state: 'answered' }]);
      assert.deepEqual(await s.journal.outbox.post([reply('r1:notice', 'other words')], []), [id]);
      assert.deepEqual(
        (await s.journal.outbox.ofRun('r1')).map(({ payload }) => payload.text),
        ['r1:notice'],
      );
      assert.equal((await s.journal.inbound.find('r1'))?.state, 'answered');
    });

    it('knows how far each reply got', async () => {
      await using s = await open();
      const { outbox } = s.journal;
      const [a, b, c] = (await outbox.post([reply('a'), reply('b'), reply('c')], [])) as [number, number, number];
      await outbox.sending(a);
      await outbox.retryAt(b, 'uncertain', 5000, 'no answer');
      await outbox.sending(c);
      await outbox.sent(c, ['platform-7']);
      await s.reopen();
      assert.deepEqual(
        (await s.journal.outbox.open()).map(({ id, state, attempts, error }) => [id, state, attempts, error]),
        [
          [a, 'sending', 1, undefined],
          [b, 'uncertain', 0, 'no answer'],
        ],
      );
      assert.equal(await s.journal.outbox.pending(), 2);
      await s.journal.outbox.failed(a, 'gave up');
      assert.deepEqual(
        [
          (await s.journal.outbox.get(a))?.state,
          (await s.journal.outbox.get(a))?.error,
          await s.journal.outbox.get(99),
        ],
        ['failed', 'gave up', undefined],
      );
    });
  });
}
