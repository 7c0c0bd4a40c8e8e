/** Contract of journals: pruning removes what ended long ago, and nothing else. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accepted } from '../sample-inbound.ts';
import { reply, done, answer, begin } from '../journal-rows.ts';
import type { OpenJournalFixture } from '../journal-harness.ts';

export function pruneContract(open: OpenJournalFixture): void {
  describe('pruning', () => {
    async function ended(s: Awaited<ReturnType<OpenJournalFixture>>, id: string, settled: boolean): Promise<void> {
      const { row } = await s.journal.inbound.accept(accepted({ id }), id);
      await begin(s.journal, id, [row.seq]);
      await s.journal.turns.modelFinished(id, 0, answer('x'), []);
      const { outbox } = await s.journal.turns.end({
        turnId: id,
        outcome: done,
        inbound: { state: 'answered' },
        replies: [{ ...reply(`${id}:0`), runId: id }],
      });
      await s.journal.outbox.sent(outbox[0]!, []);
      if (settled) await s.journal.turns.settle([id]);
    }

    it('forgets what ended long ago, all of it', async () => {
      await using s = await open();
      await ended(s, 'old', true);
      s.time.now = 5000;
      await ended(s, 'new', true);
      assert.equal(await s.journal.prune(1000), 1);
      assert.deepEqual(
        [
          await s.journal.inbound.find('old'),
          await s.journal.turns.find('old'),
          (await s.journal.turns.recall('old')).models.size,
          await s.journal.outbox.ofRun('old'),
        ],
        [undefined, undefined, 0, []],
      );
      assert.deepEqual(
        [
          (await s.journal.inbound.find('new'))?.state,
          (await s.journal.turns.recall('new')).models.size,
          (await s.journal.outbox.ofRun('new')).length,
        ],
        ['answered', 1, 1],
      );
      assert.equal(await s.journal.prune(1000), 0);
    });

    it('keeps what is open, what is not in its transcript, and what a platform may send again', async () => {
      await using s = await open();
      await s.journal.inbound.accept(accepted({ id: 'open' }), 'open');
      await s.journal.outbox.post([reply('waiting')], []);
      await ended(s, 'unsettled', false);
      s.time.now = 500_000;
      await ended(s, 'recent', true);
      assert.equal(await s.journal.prune(1000), 0);
      assert.equal((await s.journal.turns.recall('unsettled')).models.size, 1);
      for (const id of ['open', 'unsettled', 'recent'])
        assert.equal((await s.journal.inbound.accept(accepted({ id }), `again-${id}`)).status, 'duplicate');
      assert.equal(await s.journal.outbox.pending(), 1);
    });

    it('forgets what ended long ago also behind what came while the clock was ahead', async () => {
      await using s = await open();
      s.time.now = 9_000_000;
      await ended(s, 'ahead', true);
      s.time.now = 0;
      await ended(s, 'old', true);
      s.time.now = 500_000;
      assert.deepEqual([await s.journal.prune(1000, 1), await s.journal.prune(1000, 1)], [1, 0]);
      assert.equal(await s.journal.inbound.find('old'), undefined);
      assert.ok(await s.journal.inbound.find('ahead'));
    });

    it('forgets sends that answer no message', async () => {
      await using s = await open();
      const [id] = await s.journal.outbox.post([reply('alone')], []);
      await s.journal.outbox.sent(id!, []);
      s.time.now = 500_000;
      assert.deepEqual(
        [await s.journal.prune(1000), await s.journal.outbox.get(id!), await s.journal.prune(1000)],
        [1, undefined, 0],
      );
    });

    it('gives up what has waited too long for its channel, and nothing younger', async () => {
      await using s = await open();
      const [old] = await s.journal.outbox.post([reply('old')], []);
      s.time.now = 500_000;
      const [young] = await s.journal.outbox.post([reply('young')], []);
      assert.deepEqual(
        [await s.journal.outbox.expire(400_000, 'gone'), await s.journal.outbox.expire(400_000, 'gone')],
        [1, 0],
      );
      assert.deepEqual(
        [
          (await s.journal.outbox.get(old!))?.state,
          (await s.journal.outbox.get(old!))?.error,
          (await s.journal.outbox.get(young!))?.state,
        ],
        ['failed', 'gone', 'pending'],
      );
      assert.equal(await s.journal.outbox.pending(), 1);
    });

    it('takes small bites', async () => {
      await using s = await open();
      for (const id of ['a', 'b', 'c']) await ended(s, id, true);
      s.time.now = 5000;
      assert.deepEqual(
        [await s.journal.prune(1000, 2), await s.journal.prune(1000, 2), await s.journal.prune(1000, 2)],
        [2, 1, 0],
      );
    });
  });
}
