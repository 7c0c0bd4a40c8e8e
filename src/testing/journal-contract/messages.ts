/** Contract of journals: messages are accepted once, in order, and end exactly once (P1–P4). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenJournalFixture } from '../journal-harness.ts';
import { accepted } from '../sample-inbound.ts';

export function messageContract(open: OpenJournalFixture): void {
  describe('a message', () => {
    it('is taken once, whoever asks and however often', async () => {
      await using s = await open();
      const [first, second] = await Promise.all([
        s.journal.inbound.accept(accepted(), 'r1'),
        s.journal.inbound.accept(accepted({ text: 'again' }), 'r2'),
      ]);
      assert.deepEqual(
        [first.status, second.status, second.row.runId, second.row.message.text],
        ['accepted', 'duplicate', 'r1', 'hi'],
      );
      await s.reopen();
      assert.equal((await s.journal.inbound.accept(accepted(), 'r3')).status, 'duplicate');
      assert.equal(
        (await s.journal.inbound.accept(accepted({ id: 'other' }), 'r1')).status,
        'duplicate',
        'a run has one message',
      );
    });

    it('is another one on another account, another channel, and when edited', async () => {
      await using s = await open();
      for (const [nth, over] of [
        {},
        { accountId: 'biz' },
        { channel: 'other' },
        { editVersion: 1 },
        { id: 'm2' },
      ].entries())
        assert.equal((await s.journal.inbound.accept(accepted(over), `r${nth}`)).status, 'accepted');
    });

    it('has its place in the order from the moment it was handed in', async () => {
      await using s = await open();
      const rows = await Promise.all(['a', 'b', 'c'].map((id) => s.journal.inbound.accept(accepted({ id }), id)));
      assert.deepEqual(
        rows.map(({ row }) => row.seq),
        [1, 2, 3],
      );
      await s.reopen();
      assert.equal((await s.journal.inbound.accept(accepted({ id: 'd' }), 'd')).row.seq, 4);
      assert.deepEqual(
        (await s.journal.inbound.open()).map(({ runId }) => runId),
        ['a', 'b', 'c', 'd'],
      );
    });

    it('comes back as it was', async () => {
      await using s = await open();
      const { row } = await s.journal.inbound.accept(accepted({ text: 'ünïcode \u0000 "quoted"' }), 'r1');
      assert.deepEqual(await s.journal.inbound.find('r1'), row);
      assert.equal(await s.journal.inbound.find('r2'), undefined);
    });

    it('keeps apart where it came from, where the answer goes, and whose conversation asked', async () => {
      await using s = await open();
      const sample = accepted();
      const elsewhere = accepted({ channel: 'other', chat: 'c9', sessionKey: 'agent:work:main' });
      const replyTo = elsewhere.message.address;
      const home = { agentId: 'work', sessionKey: 'agent:work:main', address: replyTo };
      const own = { ...sample.authority.home };
      for (const [nth, other] of [
        { ...sample, route: { ...sample.route, replyTo } },
        { ...sample, authority: { ...sample.authority, home } },
        { ...sample, authority: { ...sample.authority, home: { ...own, agentId: 'work' } } },
        { ...sample, authority: { ...sample.authority, home: { ...own, address: replyTo } } },
        { ...sample, route: { ...sample.route, replyTo }, authority: { ...sample.authority, home: own } },
        { ...sample, route: { ...sample.route, replyTo, agentId: 'work' }, authority: { ...sample.authority, home } },
      ].entries()) {
        const id = `m${nth}`;
        const message = { ...sample.message, id };
        const { row } = await s.journal.inbound.accept({ ...other, message }, id);
        const found = await s.journal.inbound.find(id);
        assert.deepEqual(found, row);
        assert.deepEqual([found?.route, found?.authority], [other.route, other.authority]);
      }
    });

    it('that was refused at the access gate has its end from the beginning', async () => {
      await using s = await open();
      const { row } = await s.journal.inbound.accept(accepted(), 'r1', { reason: 'not on the list' });
      assert.equal(row.state, 'declined');
      await s.reopen();
      assert.deepEqual(
        [await s.journal.inbound.open(), (await s.journal.inbound.find('r1'))?.reason],
        [[], 'not on the list'],
      );
    });

    it('ends once', async () => {
      await using s = await open();
      const { row } = await s.journal.inbound.accept(accepted(), 'r1');
      await s.journal.inbound.end([row.seq], { state: 'declined', reason: 'stopped' });
      s.time.now = 2000;
      await s.journal.inbound.end([row.seq], { state: 'answered' });
      const found = (await s.journal.inbound.find('r1'))!;
      assert.deepEqual([found.state, found.reason, found.endedAt], ['declined', 'stopped', 1000]);
    });

    it('without an end for long is counted', async () => {
      await using s = await open();
      await s.journal.inbound.accept(accepted(), 'r1');
      assert.deepEqual([await s.journal.inbound.overdue(1000), await s.journal.inbound.overdue(1001)], [0, 1]);
    });
  });
}
