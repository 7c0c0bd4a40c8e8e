/** The journal: in once, in order, to exactly one end, and nothing forgotten that somebody still needs (P1–P6, P10). */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ToolResultMessage, UserMessage } from '../core/transcript.ts';
import { accepted } from '../testing/sample-inbound.ts';
import { journalHarness } from '../testing/journal-harness.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { createJournal } from './journal.ts';
import { reply, done, answer, begin } from '../testing/journal-rows.ts';

const result = (toolCallId: string): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'read',
  content: [],
  isError: false,
  timestamp: 1,
});

describe('a message', () => {
  it('is taken once, whoever asks and however often', async () => {
    await using s = await journalHarness();
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
    await using s = await journalHarness();
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
    await using s = await journalHarness();
    const rows = await Promise.all(['a', 'b', 'c'].map((id) => s.journal.inbound.accept(accepted({ id }), id)));
    assert.deepEqual(
      rows.map(({ row }) => row.seq),
      [1, 2, 3],
    );
    await s.reopen();
    assert.equal((await s.journal.inbound.accept(accepted({ id: 'd' }), 'd')).row.seq, 4);
    assert.deepEqual(
      s.journal.inbound.open().map(({ runId }) => runId),
      ['a', 'b', 'c', 'd'],
    );
  });

  it('comes back as it was', async () => {
    await using s = await journalHarness();
    const { row } = await s.journal.inbound.accept(accepted({ text: 'ünïcode \u0000 "quoted"' }), 'r1');
    assert.deepEqual(s.journal.inbound.find('r1'), row);
    assert.equal(s.journal.inbound.find('r2'), undefined);
  });

  it('that was refused at the door has its end from the beginning', async () => {
    await using s = await journalHarness();
    const { row } = await s.journal.inbound.accept(accepted(), 'r1', { reason: 'not on the list' });
    assert.equal(row.state, 'declined');
    await s.reopen();
    assert.deepEqual([s.journal.inbound.open(), s.journal.inbound.find('r1')?.reason], [[], 'not on the list']);
  });

  it('ends once', async () => {
    await using s = await journalHarness();
    const { row } = await s.journal.inbound.accept(accepted(), 'r1');
    await s.journal.endInbound([row.seq], { state: 'declined', reason: 'stopped' });
    s.time.now = 2000;
    await s.journal.endInbound([row.seq], { state: 'answered' });
    const found = s.journal.inbound.find('r1')!;
    assert.deepEqual([found.state, found.reason, found.endedAt], ['declined', 'stopped', 1000]);
  });

  it('without an end for long is counted', async () => {
    await using s = await journalHarness();
    await s.journal.inbound.accept(accepted(), 'r1');
    assert.deepEqual([s.journal.inbound.overdue(1000), s.journal.inbound.overdue(1001)], [0, 1]);
  });
});

describe('a turn', () => {
  it('remembers each finished step and knows which tool it cannot know about', async () => {
    await using s = await journalHarness();
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
    const { models, tools, steers } = s.journal.turns.recall('t');
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
    await using s = await journalHarness();
    await begin(s.journal, 't', []);
    await s.journal.turns.toolFinished('t', result('x'));
    await s.journal.turns.modelFinished('t', 0, answer('one'), [
      { callId: 'x', tool: 'read', input: {}, readOnly: true },
    ]);
    assert.deepEqual(s.journal.turns.recall('t').tools.get('x'), result('x'));
  });

  it('ends in one commit: its outcome, its messages, its replies and the session', async () => {
    await using s = await journalHarness();
    const { journal } = s;
    const { row } = await journal.inbound.accept(accepted(), 'r1');
    const steered = (await journal.inbound.accept(accepted({ id: 'm2' }), 'r2')).row;
    await begin(journal, 'r1', [row.seq]);
    await journal.turns.steered('r1', 1, [], [steered.seq]);
    assert.deepEqual(
      journal.inbound.ofTurn('r1').map(({ runId, steered: joined }) => [runId, joined]),
      [
        ['r1', false],
        ['r2', true],
      ],
    );
    const redo = { agentId: 'main', key: 'k', entry: '{}', version: 1 };
    const ids = await journal.turns.end(
      { turnId: 'r1', outcome: done, inbound: { state: 'answered' }, replies: [reply('r1:0'), reply('r1:1')] },
      [row.seq, steered.seq],
      redo,
    );
    await s.reopen();
    assert.deepEqual(s.journal.turns.find('r1')?.outcome, done);
    assert.deepEqual(
      ['r1', 'r2'].map((id) => s.journal.inbound.find(id)?.state),
      ['answered', 'answered'],
    );
    assert.deepEqual(
      s.journal.outbox.open().map(({ id, token, state }) => [id, token, state]),
      [
        [ids[0], 'r1:0', 'pending'],
        [ids[1], 'r1:1', 'pending'],
      ],
    );
    assert.deepEqual(s.journal.redo.load('main'), [redo]);
  });

  it('stays unsettled until its lines are in the transcript, and never settles while it runs', async () => {
    await using s = await journalHarness();
    await begin(s.journal, 't', []);
    await s.journal.turns.settle(['t']);
    assert.deepEqual(
      s.journal.turns.unsettled().map(({ id, state }) => [id, state]),
      [['t', 'running']],
    );
    await s.journal.turns.end({ turnId: 't', outcome: done, inbound: { state: 'answered' }, replies: [] }, []);
    await s.journal.turns.settle(['t']);
    assert.deepEqual(s.journal.turns.unsettled(), []);
  });
});

describe('the outbox', () => {
  it('takes a reply once, with the end of what it answers', async () => {
    await using s = await journalHarness();
    const { row } = await s.journal.inbound.accept(accepted(), 'r1');
    const [id] = await s.journal.outbox.post([reply('r1:notice')], [{ seq: row.seq, state: 'answered' }]);
    assert.deepEqual(await s.journal.outbox.post([reply('r1:notice', 'other words')], []), [id]);
    assert.deepEqual(
      s.journal.outbox.ofRun('r1').map(({ payload }) => payload.text),
      ['r1:notice'],
    );
    assert.equal(s.journal.inbound.find('r1')?.state, 'answered');
  });

  it('knows how far each reply got', async () => {
    await using s = await journalHarness();
    const { outbox } = s.journal;
    const [a, b, c] = (await outbox.post([reply('a'), reply('b'), reply('c')], [])) as [number, number, number];
    await outbox.sending(a);
    await outbox.retryAt(b, 'uncertain', 5000, 'no answer');
    await outbox.sending(c);
    await outbox.sent(c, ['platform-7']);
    await s.reopen();
    assert.deepEqual(
      s.journal.outbox.open().map(({ id, state, attempts, error }) => [id, state, attempts, error]),
      [
        [a, 'sending', 1, undefined],
        [b, 'uncertain', 0, 'no answer'],
      ],
    );
    assert.equal(s.journal.outbox.pending(), 2);
    await s.journal.outbox.failed(a, 'gave up');
    assert.deepEqual(
      [s.journal.outbox.get(a)?.state, s.journal.outbox.get(a)?.error, s.journal.outbox.get(99)],
      ['failed', 'gave up', undefined],
    );
  });
});

describe('session entries', () => {
  it('go forward only and go away when the file has them', async () => {
    await using s = await journalHarness();
    const { redo } = s.journal;
    const row = (version: number, key = 'k') => ({
      agentId: 'main',
      key,
      entry: version % 2 === 0 ? null : `{"v":${version}}`,
      version,
    });
    for (const version of [2, 1]) await redo.record(row(version), { sync: true });
    await redo.record(row(3, 'l'), { sync: false });
    assert.deepEqual([redo.load('main'), redo.load('work'), redo.topVersion()], [[row(2), row(3, 'l')], [], 3]);
    await redo.clear('main', 2);
    assert.deepEqual(redo.load('main'), [row(3, 'l')]);
  });
});

it('a journal that cannot be opened refuses every write with the reason and reads as empty', async () => {
  await using dir = await tempDir('journal');
  const path = join(dir.path, 'journal.sqlite');
  await writeFile(path, 'certainly not a database, however long one looks at it '.repeat(50));
  const journal = createJournal({ path });
  assert.match(journal.failure?.message ?? '', /journal\.sqlite.*not a database/);
  await assert.rejects(journal.inbound.accept(accepted(), 'r1'), { code: 'storage' });
  await assert.rejects(journal.turns.settle(['t']), { code: 'storage' });
  assert.deepEqual(
    [journal.inbound.open(), journal.outbox.pending(), journal.turns.unsettled(), journal.timeline('r1')],
    [[], 0, [], undefined],
  );
  await journal.close();
});
