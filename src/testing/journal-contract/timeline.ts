/** Contract of journals: the timeline of a message. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { may } from '../../core/may.ts';
import { recordedCheck } from '../../core/access-check.ts';
import { peopleAuthority } from '../sample-authority.ts';
import { accepted } from '../sample-inbound.ts';
import { reply, done, answer, begin } from '../journal-rows.ts';
import type { OpenJournalFixture } from '../journal-harness.ts';

export function timelineContract(open: OpenJournalFixture): void {
  describe('the timeline', () => {
    it("tells a message's timeline in order", async () => {
      await using s = await open();
      const { journal, time } = s;
      const { row } = await journal.inbound.accept(accepted(), 'r1');
      time.now = 1010;
      await begin(journal, 'r1', [row.seq]);
      time.now = 1020;
      journal.turns.modelStarted('r1', 0, 'p/m');
      time.now = 1050;
      await journal.turns.modelFinished('r1', 0, answer('x'), []);
      time.now = 1060;
      const { outbox } = await journal.turns.end({
        turnId: 'r1',
        outcome: done,
        inbound: { state: 'answered' },
        replies: [reply('r1:0')],
      });
      time.now = 1070;
      await journal.outbox.sent(outbox[0]!, ['7']);
      assert.deepEqual(
        (await journal.timeline('r1'))?.map(({ stage: name, at, ms, ok }) => [name, at, ms, ok]),
        [
          ['accepted', 1000, 995, true],
          ['authority', 1000, undefined, true],
          ['routed', 1000, undefined, true],
          ['started', 1010, 10, undefined],
          ['model', 1020, 30, true],
          ['answered', 1060, 60, true],
          ['delivered', 1070, 10, true],
        ],
      );
      assert.equal(await journal.timeline('nobody'), undefined);
    });

    it('says what a tool was called with, in a line that hides nothing', async () => {
      await using s = await open();
      const { row } = await s.journal.inbound.accept(accepted(), 'r1');
      await begin(s.journal, 'r1', [row.seq]);
      const call = (callId: string, tool: string, input: unknown) => ({ callId, tool, input, readOnly: false });
      await s.journal.turns.modelFinished('r1', 0, answer('x'), [
        call('a', 'bash', { command: 'ls\n\u202e-la', timeout: 3 }),
        call('b', 'process', { action: 'poll' }),
        call('c', 'odd', null),
        call('d', 'bash', { command: 'x'.repeat(500) }),
      ]);
      const reported = (await s.journal.timeline('r1'))!
        .filter(({ stage: name }) => name === 'tool')
        .map(({ detail = '' }) => detail);
      assert.deepEqual(reported.slice(0, 3), ['bash: ls⟨U+000A⟩⟨U+202E⟩-la', 'process: poll', 'odd']);
      assert.equal(reported[3]!.length, 'bash: …'.length + 120);
    });

    it(
      'says who asked, and what was refused or took more; each once, so many of them, and never of a run that ' +
        'is unknown',
      async () => {
        await using s = await open();
        const { time } = s;
        const { row } = await s.journal.inbound.accept(
          { ...accepted(), authority: peopleAuthority({ ids: ['7'], rights: ['approve'] }) },
          'r1',
        );
        const check = (verb: 'read' | 'write', ok: boolean, of?: string) =>
          recordedCheck({
            ...may(peopleAuthority(), verb, {
              kind: 'session',
              ...(of === undefined ? {} : { of: { sessionKey: of } }),
            }),
            ok,
          });
        for (const whose of ['a', 'b', 'a']) s.journal.turns.accessChecked('r1', check('read', false, whose));
        s.journal.turns.accessChecked('nobody', check('read', false));
        await s.journal.inbound.end([row.seq], { state: 'answered' });
        const reported = (await s.journal.timeline('r1'))!.filter(({ stage: name }) => name === 'authority');
        assert.deepEqual(
          reported.map(({ detail, ok }) => [detail, ok]),
          [
            [
              'Asked by pipe:7 in a direct chat; may use commands, read and write in this conversation, and ' +
                'use what was started or received in it.',
              true,
            ],
            ['Refused: read session (a) – list it and read its history.', false],
            ['Refused: read session (b) – list it and read its history.', false],
          ],
        );
        assert.deepEqual(reported[0]!.steps, [{ what: 'rights', outcome: 'success', reason: 'approve' }]);
        for (let n = 0; n < 50; n += 1) s.journal.turns.accessChecked('r1', check('read', false, `s${n}`));
        await s.journal.inbound.end([row.seq], { state: 'answered' });
        assert.equal(
          (await s.journal.timeline('r1'))!.filter(({ stage: name }) => name === 'authority').length,
          1 + 32,
        );
        time.now += 1_000_000;
        await s.journal.prune(1);
        await s.journal.inbound.accept(accepted(), 'r1');
        assert.equal(
          (await s.journal.timeline('r1'))!.filter(({ stage: name }) => name === 'authority').length,
          1,
          'forgotten with its message',
        );
      },
    );

    it('says why a message got no answer, and what became of its reply', async () => {
      await using s = await open();
      const { row } = await s.journal.inbound.accept(accepted(), 'r1');
      const [id] = await s.journal.outbox.post(
        [reply('r1:notice')],
        [{ seq: row.seq, state: 'declined', reason: 'overflow' }],
      );
      await s.journal.outbox.failed(id!, 'no such chat');
      assert.deepEqual(
        (await s.journal.timeline('r1'))?.slice(3).map(({ stage: name, detail, ok }) => [name, detail, ok]),
        [
          ['declined', 'overflow', false],
          ['undelivered', 'no such chat', false],
        ],
      );
    });
  });
}
