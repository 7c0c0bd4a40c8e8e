/** Contract of journals: turns, with their completed steps after a restart (P5). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ToolResultMessage, UserMessage } from '../../core/transcript.ts';
import { answer, begin, done, reply } from '../journal-rows.ts';
import type { OpenJournalFixture } from '../journal-harness.ts';
import { accepted } from '../sample-inbound.ts';

const result = (toolCallId: string): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'read',
  content: [],
  isError: false,
  timestamp: 1,
});

export function turnContract(open: OpenJournalFixture): void {
  describe('a turn', () => {
    it('remembers each finished step and knows which tool it cannot know about', async () => {
      await using s = await open();
      const { journal } = s;
      await begin(journal, 't', []);
      journal.turns.modelStarted('t', 0, 'p/m');
      const calls = [
        { callId: 'x', tool: 'read', input: { path: 'a' }, readOnly: true },
        { callId: 'y', tool: 'write', input: undefined, readOnly: false },
      ];
      await journal.turns.modelFinished('t', 0, answer('one'), calls);
      await journal.turns.toolFinished('t', result('x'));
      const steer: UserMessage = { role: 'user', content: [{ type: 'text', text: 'mind this' }], timestamp: 1 };
      await journal.turns.steered('t', 1, [steer], []);
      journal.turns.modelStarted('t', 1, 'p/m');
      await s.reopen();
      const { models, tools, steers } = await s.journal.turns.recall('t');
      assert.deepEqual(
        [[...models], [...tools], [...steers]],
        [
          [[0, answer('one')]],
          [
            ['x', result('x')],
            ['y', 'unknown'],
          ],
          [[1, [steer]]],
        ],
      );
    });

    it('forgets nothing when a step is written again', async () => {
      await using s = await open();
      await begin(s.journal, 't', []);
      await s.journal.turns.toolFinished('t', result('x'));
      await s.journal.turns.modelFinished('t', 0, answer('one'), [
        { callId: 'x', tool: 'read', input: {}, readOnly: true },
      ]);
      assert.deepEqual((await s.journal.turns.recall('t')).tools.get('x'), result('x'));
    });

    it('ends in one commit: its outcome, its messages, its replies and the session', async () => {
      await using s = await open();
      const { journal } = s;
      const { row } = await journal.inbound.accept(accepted(), 'r1');
      const steered = (await journal.inbound.accept(accepted({ id: 'm2' }), 'r2')).row;
      await begin(journal, 'r1', [row.seq]);
      await journal.turns.steered('r1', 1, [], [steered.seq]);
      assert.deepEqual(
        (await journal.inbound.ofTurn('r1')).map(({ runId, steered: joined }) => [runId, joined]),
        [
          ['r1', false],
          ['r2', true],
        ],
      );
      const redo = { agentId: 'main', key: 'k', entry: '{}', version: 1 };
      const { outbox: ids, messages } = await journal.turns.end(
        { turnId: 'r1', outcome: done, inbound: { state: 'answered' }, replies: [reply('r1:0'), reply('r1:1')] },
        redo,
      );
      assert.deepEqual(
        messages.map(({ runId, state }) => [runId, state]),
        [
          ['r1', 'answered'],
          ['r2', 'answered'],
        ],
      );
      await s.reopen();
      assert.deepEqual((await s.journal.turns.find('r1'))?.outcome, done);
      assert.deepEqual(
        (await s.journal.inbound.ofTurn('r1')).map(({ state }) => state),
        ['answered', 'answered'],
      );
      assert.deepEqual(
        (await s.journal.outbox.open()).map(({ id, token, state }) => [id, token, state]),
        [
          [ids[0], 'r1:0', 'pending'],
          [ids[1], 'r1:1', 'pending'],
        ],
      );
      assert.deepEqual(await s.journal.redo.load('main'), [redo]);
    });

    it('stays unsettled until its lines are in the transcript, and never settles while it runs', async () => {
      await using s = await open();
      const { row } = await s.journal.inbound.accept(accepted(), 't');
      await begin(s.journal, 't', [row.seq]);
      await s.journal.turns.settle(['t']);
      assert.deepEqual(
        (await s.journal.turns.unsettled()).map(({ id, state }) => [id, state]),
        [['t', 'running']],
      );
      await s.journal.turns.end({ turnId: 't', outcome: done, inbound: { state: 'answered' }, replies: [] });
      await s.journal.turns.settle(['t']);
      assert.deepEqual(await s.journal.turns.unsettled(), []);
    });
  });
}
