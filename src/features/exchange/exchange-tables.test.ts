/** What two sessions have with each other: kept once, found by state, forgotten only when it is over. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stepRunId, type Exchange } from './exchange.ts';
import { fixturesWith, type JournalFixture } from '../../testing/journal-harness.ts';
import { EXCHANGE_TABLES, type ExchangeRows } from './exchange-tables.ts';
import { memoryExchanges } from './fake-exchanges.ts';
import { peopleAuthority } from '../../testing/sample-authority.ts';
import { accepted } from '../../testing/sample-inbound.ts';

const id = (letter: string): string => letter.repeat(32);
const exchange = (letter: string, over: Partial<Exchange> = {}): Exchange => ({
  id: id(letter),
  kind: 'send',
  requesterKey: 'agent:main:main',
  targetKey: 'agent:main:b',
  request: 'hi',
  turns: 5,
  announce: true,
  depth: 1,
  authority: peopleAuthority(),
  createdAt: 5,
  ...over,
});

const rowsOf = ({ journal }: JournalFixture): ExchangeRows => journal.tables(EXCHANGE_TABLES);

for (const [where, open] of Object.entries(fixturesWith(EXCHANGE_TABLES, memoryExchanges)))
  describe(`an exchange ${where}`, () => {
    it('is kept once per id, as it was first, over a restart', async () => {
      await using s = await open();
      const first = exchange('a', { child: { cleanup: 'keep', label: 'x' }, replyTo: accepted().message.address });
      assert.deepEqual(await rowsOf(s).open(first), { ...first, state: 'open' });
      assert.equal((await rowsOf(s).open(exchange('a', { request: 'another' })))?.request, 'hi');
      await s.reopen();
      assert.deepEqual(await rowsOf(s).find(id('a')), { ...first, state: 'open' });
      assert.equal(await rowsOf(s).find(id('b')), undefined);
    });

    it('is found by who began it and by what is still to come', async () => {
      await using s = await open();
      const exchanges = rowsOf(s);
      await Promise.all(
        [
          exchange('b', { createdAt: 2 }),
          exchange('a', { createdAt: 3 }),
          exchange('c', { kind: 'spawn', createdAt: 1 }),
        ].map((one) => exchanges.open(one)),
      );
      assert.deepEqual(
        (await exchanges.going()).map((one) => one.id[0]),
        ['c', 'b', 'a'],
      );
      assert.deepEqual(
        [
          (await exchanges.of('agent:main:main', 'send')).length,
          (await exchanges.of('agent:main:main', 'spawn')).length,
          (await exchanges.of('agent:main:b', 'send')).length,
        ],
        [2, 1, 0],
      );
      await exchanges.end(id('b'));
      await exchanges.end(id('c'), 5000);
      assert.deepEqual(
        [
          (await exchanges.going()).length,
          (await exchanges.find(id('b')))!.state,
          (await exchanges.find(id('c')))!.state,
        ],
        [1, 'closed', 'kept'],
      );
      assert.deepEqual([(await exchanges.due(4999)).length, (await exchanges.due(5000)).length], [0, 1]);
      s.time.now = 9000;
      await exchanges.end(id('c'));
      const { state, endedAt, archiveAt } = (await exchanges.find(id('c')))!;
      assert.deepEqual([state, endedAt, archiveAt, await exchanges.due(99_999)], ['closed', 1000, undefined, []]);
    });

    it('keeps the messages of its steps as long as more are to come', async () => {
      await using s = await open();
      const { inbound } = s.journal;
      const exchanges = rowsOf(s);
      await exchanges.open(exchange('a'));
      const { row } = await inbound.accept(accepted({ id: 'step' }), stepRunId(id('a'), 0));
      const { row: other } = await inbound.accept(accepted({ id: 'other' }), 'exchange:of another kind');
      await s.journal.inbound.end([row.seq, other.seq], { state: 'answered' });
      s.time.now = 1_000_000;
      while ((await s.journal.prune(1000)) > 0);
      assert.equal(await inbound.find(other.runId), undefined);
      assert.equal((await inbound.find(row.runId))?.seq, row.seq, 'forgotten, it would be taken again');
      await exchanges.end(id('a'));
      while ((await s.journal.prune(1000)) > 0);
      assert.deepEqual([await inbound.find(row.runId), (await exchanges.find(id('a')))?.state], [undefined, 'closed']);
      s.time.now = 2_000_000;
      while ((await s.journal.prune(1000)) > 0);
      assert.equal(await exchanges.find(id('a')), undefined);
    });
  });
