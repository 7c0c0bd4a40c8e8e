/** The journal: in once, in order, to exactly one end, and nothing forgotten that somebody still needs (P1–P6, P10). */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { may } from '../core/may.ts';
import { noUsage, type AssistantMessage, type ToolResultMessage, type UserMessage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import { lookOf } from '../core/verdict.ts';
import type { Understanding } from '../core/understanding.ts';
import { peopleAuthority } from '../testing/sample-authority.ts';
import { accepted } from '../testing/sample-inbound.ts';
import { journalStage } from '../testing/journal-stage.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { createJournal, type Journal } from './journal.ts';
import type { NewOutboxRow } from './rows.ts';

const reply = (token: string, text = token): NewOutboxRow => ({ token, runId: 'r1', sessionKey: 'agent:main:main', address: accepted().message.address, payload: { kind: 'final', text } });
const done: TurnOutcome = { kind: 'done', text: 'ok', usage: noUsage };
const answer = (text: string, content: AssistantMessage['content'] = [{ type: 'text', text }]): AssistantMessage => ({ role: 'assistant', content, timestamp: 1, provider: 'p', model: 'm', usage: noUsage, stopReason: 'stop' });
const result = (toolCallId: string): ToolResultMessage => ({ role: 'toolResult', toolCallId, toolName: 'read', content: [], isError: false, timestamp: 1 });
const begin = (journal: Journal, id: string, seqs: number[]) => journal.turns.begin({ id, sessionKey: 'agent:main:main', agentId: 'main', sessionId: 's1', seqs });

describe('a message', () => {
  it('is taken once, whoever asks and however often', async () => {
    await using s = await journalStage();
    const [first, second] = await Promise.all([s.journal.inbound.accept(accepted(), 'r1'), s.journal.inbound.accept(accepted({ text: 'again' }), 'r2')]);
    assert.deepEqual([first.status, second.status, second.row.runId, second.row.message.text], ['accepted', 'duplicate', 'r1', 'hi']);
    await s.reopen();
    assert.equal((await s.journal.inbound.accept(accepted(), 'r3')).status, 'duplicate');
    assert.equal((await s.journal.inbound.accept(accepted({ id: 'other' }), 'r1')).status, 'duplicate', 'a run has one message');
  });

  it('is another one on another account, another channel, and when edited', async () => {
    await using s = await journalStage();
    for (const [nth, over] of [{}, { accountId: 'biz' }, { channel: 'other' }, { editVersion: 1 }, { id: 'm2' }].entries())
      assert.equal((await s.journal.inbound.accept(accepted(over), `r${nth}`)).status, 'accepted');
  });

  it('has its place in the order from the moment it was handed in', async () => {
    await using s = await journalStage();
    const rows = await Promise.all(['a', 'b', 'c'].map((id) => s.journal.inbound.accept(accepted({ id }), id)));
    assert.deepEqual(rows.map(({ row }) => row.seq), [1, 2, 3]);
    await s.reopen();
    assert.equal((await s.journal.inbound.accept(accepted({ id: 'd' }), 'd')).row.seq, 4);
    assert.deepEqual(s.journal.inbound.open().map(({ runId }) => runId), ['a', 'b', 'c', 'd']);
  });

  it('comes back as it was', async () => {
    await using s = await journalStage();
    const { row } = await s.journal.inbound.accept(accepted({ text: 'ünïcode \u0000 "quoted"' }), 'r1');
    assert.deepEqual(s.journal.inbound.find('r1'), row);
    assert.equal(s.journal.inbound.find('r2'), undefined);
  });

  it('that was refused at the door has its end from the beginning', async () => {
    await using s = await journalStage();
    const { row } = await s.journal.inbound.accept(accepted(), 'r1', { reason: 'not on the list' });
    assert.equal(row.state, 'declined');
    await s.reopen();
    assert.deepEqual([s.journal.inbound.open(), s.journal.inbound.find('r1')?.reason], [[], 'not on the list']);
  });

  it('ends once', async () => {
    await using s = await journalStage();
    const { row } = await s.journal.inbound.accept(accepted(), 'r1');
    await s.journal.endInbound([row.seq], { state: 'declined', reason: 'stopped' });
    s.time.now = 2000;
    await s.journal.endInbound([row.seq], { state: 'answered' });
    const found = s.journal.inbound.find('r1')!;
    assert.deepEqual([found.state, found.reason, found.endedAt], ['declined', 'stopped', 1000]);
  });

  it('without an end for long is counted', async () => {
    await using s = await journalStage();
    await s.journal.inbound.accept(accepted(), 'r1');
    assert.deepEqual([s.journal.inbound.overdue(1000), s.journal.inbound.overdue(1001)], [0, 1]);
  });
});

describe('a turn', () => {
  it('remembers each finished step and knows which tool it cannot know about', async () => {
    await using s = await journalStage();
    const { journal } = s;
    await begin(journal, 't', []);
    journal.turns.modelStarted('t', 0, 'p/m');
    const calls = [{ callId: 'x', tool: 'read', input: { path: 'a' }, readOnly: true }, { callId: 'y', tool: 'write', input: undefined, readOnly: false }];
    await journal.turns.modelFinished('t', 0, answer('one'), calls);
    await journal.turns.toolFinished('t', result('x'));
    const steer: UserMessage = { role: 'user', content: [{ type: 'text', text: 'mind this' }], timestamp: 1 };
    await journal.turns.steered('t', 1, [steer], []);
    journal.turns.modelStarted('t', 1, 'p/m');
    await s.reopen();
    const { models, tools, steers } = s.journal.turns.recall('t');
    assert.deepEqual([[...models], [...tools], [...steers]], [[[0, answer('one')]], [['x', result('x')], ['y', 'unknown']], [[1, [steer]]]]);
  });

  it('forgets nothing when a step is written again', async () => {
    await using s = await journalStage();
    await begin(s.journal, 't', []);
    await s.journal.turns.toolFinished('t', result('x'));
    await s.journal.turns.modelFinished('t', 0, answer('one'), [{ callId: 'x', tool: 'read', input: {}, readOnly: true }]);
    assert.deepEqual(s.journal.turns.recall('t').tools.get('x'), result('x'));
  });

  it('ends in one commit: its outcome, its messages, its replies and the session', async () => {
    await using s = await journalStage();
    const { journal } = s;
    const { row } = await journal.inbound.accept(accepted(), 'r1');
    const steered = (await journal.inbound.accept(accepted({ id: 'm2' }), 'r2')).row;
    await begin(journal, 'r1', [row.seq]);
    await journal.turns.steered('r1', 1, [], [steered.seq]);
    assert.deepEqual(journal.inbound.ofTurn('r1').map(({ runId, steered: joined }) => [runId, joined]), [['r1', false], ['r2', true]]);
    const redo = { agentId: 'main', key: 'k', entry: '{}', version: 1 };
    const ids = await journal.turns.end({ turnId: 'r1', outcome: done, inbound: { state: 'answered' }, replies: [reply('r1:0'), reply('r1:1')] }, [row.seq, steered.seq], redo);
    await s.reopen();
    assert.deepEqual(s.journal.turns.find('r1')?.outcome, done);
    assert.deepEqual(['r1', 'r2'].map((id) => s.journal.inbound.find(id)?.state), ['answered', 'answered']);
    assert.deepEqual(s.journal.outbox.open().map(({ id, token, state }) => [id, token, state]), [[ids[0], 'r1:0', 'pending'], [ids[1], 'r1:1', 'pending']]);
    assert.deepEqual(s.journal.redo.load('main'), [redo]);
  });

  it('stays unsettled until its lines are in the transcript, and never settles while it runs', async () => {
    await using s = await journalStage();
    await begin(s.journal, 't', []);
    await s.journal.turns.settle(['t']);
    assert.deepEqual(s.journal.turns.unsettled().map(({ id, state }) => [id, state]), [['t', 'running']]);
    await s.journal.turns.end({ turnId: 't', outcome: done, inbound: { state: 'answered' }, replies: [] }, []);
    await s.journal.turns.settle(['t']);
    assert.deepEqual(s.journal.turns.unsettled(), []);
  });
});

describe('the outbox', () => {
  it('takes a reply once, with the end of what it answers', async () => {
    await using s = await journalStage();
    const { row } = await s.journal.inbound.accept(accepted(), 'r1');
    const [id] = await s.journal.outbox.post([reply('r1:notice')], [{ seq: row.seq, state: 'answered' }]);
    assert.deepEqual(await s.journal.outbox.post([reply('r1:notice', 'other words')], []), [id]);
    assert.deepEqual(s.journal.outbox.ofRun('r1').map(({ payload }) => payload.text), ['r1:notice']);
    assert.equal(s.journal.inbound.find('r1')?.state, 'answered');
  });

  it('knows how far each reply got', async () => {
    await using s = await journalStage();
    const { outbox } = s.journal;
    const [a, b, c] = await outbox.post([reply('a'), reply('b'), reply('c')], []) as [number, number, number];
    await outbox.sending(a);
    await outbox.retryAt(b, 'uncertain', 5000, 'no answer');
    await outbox.sending(c);
    await outbox.sent(c, ['platform-7']);
    await s.reopen();
    assert.deepEqual(s.journal.outbox.open().map(({ id, state, attempts, error }) => [id, state, attempts, error]), [[a, 'sending', 1, undefined], [b, 'uncertain', 0, 'no answer']]);
    assert.equal(s.journal.outbox.pending(), 2);
    await s.journal.outbox.failed(a, 'gave up');
    assert.deepEqual([s.journal.outbox.get(a)?.state, s.journal.outbox.get(a)?.error, s.journal.outbox.get(99)], ['failed', 'gave up', undefined]);
  });
});

describe('session entries', () => {
  it('go forward only and go away when the file has them', async () => {
    await using s = await journalStage();
    const { redo } = s.journal;
    const row = (version: number, key = 'k') => ({ agentId: 'main', key, entry: version % 2 === 0 ? null : `{"v":${version}}`, version });
    for (const version of [2, 1]) await redo.record(row(version), { sync: true });
    await redo.record(row(3, 'l'), { sync: false });
    assert.deepEqual([redo.load('main'), redo.load('work'), redo.topVersion()], [[row(2), row(3, 'l')], [], 3]);
    await redo.clear('main', 2);
    assert.deepEqual(redo.load('main'), [row(3, 'l')]);
  });
});

describe('pruning', () => {
  async function ended(s: Awaited<ReturnType<typeof journalStage>>, id: string, settled: boolean): Promise<void> {
    const { row } = await s.journal.inbound.accept(accepted({ id }), id);
    await begin(s.journal, id, [row.seq]);
    await s.journal.turns.modelFinished(id, 0, answer('x'), []);
    const [reply_] = await s.journal.turns.end({ turnId: id, outcome: done, inbound: { state: 'answered' }, replies: [{ ...reply(`${id}:0`), runId: id }] }, [row.seq]);
    await s.journal.outbox.sent(reply_!, []);
    if (settled) await s.journal.turns.settle([id]);
  }

  it('forgets what ended long ago, all of it', async () => {
    await using s = await journalStage();
    await ended(s, 'old', true);
    s.time.now = 5000;
    await ended(s, 'new', true);
    assert.equal(await s.journal.prune(1000), 1);
    assert.deepEqual([s.journal.inbound.find('old'), s.journal.turns.find('old'), s.journal.turns.recall('old').models.size, s.journal.outbox.ofRun('old')], [undefined, undefined, 0, []]);
    assert.deepEqual([s.journal.inbound.find('new')?.state, s.journal.turns.recall('new').models.size, s.journal.outbox.ofRun('new').length], ['answered', 1, 1]);
    assert.equal(await s.journal.prune(1000), 0);
  });

  it('keeps what is open, what is not in its transcript, and what a platform may send again', async () => {
    await using s = await journalStage();
    await s.journal.inbound.accept(accepted({ id: 'open' }), 'open');
    await s.journal.outbox.post([reply('waiting')], []);
    await ended(s, 'unsettled', false);
    s.time.now = 500_000;
    await ended(s, 'recent', true);
    assert.equal(await s.journal.prune(1000), 0);
    assert.equal(s.journal.turns.recall('unsettled').models.size, 1);
    for (const id of ['open', 'unsettled', 'recent']) assert.equal((await s.journal.inbound.accept(accepted({ id }), `again-${id}`)).status, 'duplicate');
    assert.equal(s.journal.outbox.pending(), 1);
  });

  it('forgets sends that answer no message', async () => {
    await using s = await journalStage();
    const [id] = await s.journal.outbox.post([reply('alone')], []);
    await s.journal.outbox.sent(id!, []);
    s.time.now = 500_000;
    assert.deepEqual([await s.journal.prune(1000), s.journal.outbox.get(id!), await s.journal.prune(1000)], [1, undefined, 0]);
  });

  it('gives up what has waited too long for its channel, and nothing younger', async () => {
    await using s = await journalStage();
    const [old] = await s.journal.outbox.post([reply('old')], []);
    s.time.now = 500_000;
    const [young] = await s.journal.outbox.post([reply('young')], []);
    assert.deepEqual([await s.journal.outbox.expire(400_000, 'gone'), await s.journal.outbox.expire(400_000, 'gone')], [1, 0]);
    assert.deepEqual([s.journal.outbox.get(old!)?.state, s.journal.outbox.get(old!)?.error, s.journal.outbox.get(young!)?.state], ['failed', 'gone', 'pending']);
    assert.equal(s.journal.outbox.pending(), 1);
  });

  it('takes small bites', async () => {
    await using s = await journalStage();
    for (const id of ['a', 'b', 'c']) await ended(s, id, true);
    s.time.now = 5000;
    assert.deepEqual([await s.journal.prune(1000, 2), await s.journal.prune(1000, 2), await s.journal.prune(1000, 2)], [2, 1, 0]);
  });
});

describe('the timeline', () => {
  it('tells a message\'s life in order', async () => {
    await using s = await journalStage();
    const { journal, time } = s;
    const { row } = await journal.inbound.accept(accepted(), 'r1');
    time.now = 1010;
    await begin(journal, 'r1', [row.seq]);
    time.now = 1020;
    journal.turns.modelStarted('r1', 0, 'p/m');
    time.now = 1050;
    await journal.turns.modelFinished('r1', 0, answer('x'), []);
    time.now = 1060;
    const [id] = await journal.turns.end({ turnId: 'r1', outcome: done, inbound: { state: 'answered' }, replies: [reply('r1:0')] }, [row.seq]);
    time.now = 1070;
    await journal.outbox.sent(id!, ['7']);
    assert.deepEqual(journal.timeline('r1')?.map(({ stage: name, at, ms, ok }) => [name, at, ms, ok]), [
      ['accepted', 1000, 995, true], ['authority', 1000, undefined, true], ['routed', 1000, undefined, true], ['started', 1010, 10, undefined],
      ['model', 1020, 30, true], ['answered', 1060, 60, true], ['delivered', 1070, 10, true],
    ]);
    assert.equal(journal.timeline('nobody'), undefined);
  });

  it('says what a tool was called with, in a line that hides nothing', async () => {
    await using s = await journalStage();
    const { row } = await s.journal.inbound.accept(accepted(), 'r1');
    await begin(s.journal, 'r1', [row.seq]);
    const call = (callId: string, tool: string, input: unknown) => ({ callId, tool, input, readOnly: false });
    await s.journal.turns.modelFinished('r1', 0, answer('x'), [call('a', 'bash', { command: 'ls\n\u202e-la', timeout: 3 }), call('b', 'process', { action: 'poll' }), call('c', 'odd', null), call('d', 'bash', { command: 'x'.repeat(500) })]);
    const told = s.journal.timeline('r1')!.filter(({ stage: name }) => name === 'tool').map(({ detail = '' }) => detail);
    assert.deepEqual(told.slice(0, 3), ['bash: ls⟨U+000A⟩⟨U+202E⟩-la', 'process: poll', 'odd']);
    assert.equal(told[3]!.length, 'bash: …'.length + 120);
  });

  it('says who asked, and what was refused or took more; each once, so many of them, and never of a run that is unknown', async () => {
    await using s = await journalStage();
    const { time } = s;
    const { row } = await s.journal.inbound.accept({ ...accepted(), authority: peopleAuthority({ ids: ['7'], rights: ['approve'] }) }, 'r1');
    const look = (verb: 'read' | 'write', ok: boolean, of?: string) => lookOf({ ...may(peopleAuthority(), verb, { kind: 'session', ...(of === undefined ? {} : { of: { sessionKey: of } }) }), ok });
    for (const whose of ['a', 'b', 'a']) s.journal.turns.looked('r1', look('read', false, whose));
    s.journal.turns.looked('nobody', look('read', false));
    await s.journal.endInbound([row.seq], { state: 'answered' });
    const told = s.journal.timeline('r1')!.filter(({ stage: name }) => name === 'authority');
    assert.deepEqual(told.map(({ detail, ok }) => [detail, ok]), [
      ['Asked by pipe:7 in a direct chat; may use commands, read and write in this conversation, and use what was started or received in it.', true],
      ['Refused: read session (a) – list it, read its history.', false], ['Refused: read session (b) – list it, read its history.', false],
    ]);
    assert.deepEqual(told[0]!.steps, [{ what: 'rights', outcome: 'success', reason: 'approve' }]);
    for (let n = 0; n < 50; n += 1) s.journal.turns.looked('r1', look('read', false, `s${n}`));
    await s.journal.endInbound([row.seq], { state: 'answered' });
    assert.equal(s.journal.timeline('r1')!.filter(({ stage: name }) => name === 'authority').length, 1 + 32);
    time.now += 1_000_000;
    await s.journal.prune(1);
    await s.journal.inbound.accept(accepted(), 'r1');
    assert.equal(s.journal.timeline('r1')!.filter(({ stage: name }) => name === 'authority').length, 1, 'forgotten with its message');
  });

  it('says why a message got no answer, and what became of its reply', async () => {
    await using s = await journalStage();
    const { row } = await s.journal.inbound.accept(accepted(), 'r1');
    const [id] = await s.journal.outbox.post([reply('r1:notice')], [{ seq: row.seq, state: 'declined', reason: 'overflow' }]);
    await s.journal.outbox.failed(id!, 'no such chat');
    assert.deepEqual(s.journal.timeline('r1')?.slice(3).map(({ stage: name, detail, ok }) => [name, detail, ok]), [['declined', 'overflow', false], ['undelivered', 'no such chat', false]]);
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
  assert.deepEqual([journal.inbound.open(), journal.outbox.pending(), journal.turns.unsettled(), journal.timeline('r1')], [[], 0, [], undefined]);
  await journal.close();
});

describe('what was understood', () => {
  const page: Understanding = { notes: [{ kind: 'link', url: 'https://a.example', source: 'cat', text: 'a page' }], media: [], attachments: [], links: { outcome: 'success', urls: [{ url: 'https://a.example', attempts: [{ type: 'cli', command: 'cat', outcome: 'success', ms: 3, reached: [{ host: 'a.example', port: 443, address: '1.2.3.4' }] }], chosen: { type: 'cli', command: 'cat', outcome: 'success', ms: 3, reached: [{ host: 'a.example', port: 443, address: '1.2.3.4' }] }, ms: 4 }, { url: 'http://10.0.0.1', attempts: [], blocked: 'private' }] } };

  it('is kept with the message, told once, and forgotten with it', async () => {
    await using s = await journalStage();
    const { row } = await s.journal.inbound.accept(accepted(), 'r1');
    const [id] = await s.journal.understanding.save('r1', page, 900, [reply('r1:echo')]);
    assert.deepEqual(await s.journal.understanding.save('r1', page, 900, [reply('r1:echo')]), [id], 'made again after a crash, it is not told again');
    await s.reopen();
    assert.deepEqual(s.journal.understanding.find('r1'), page);
    assert.equal(s.journal.understanding.latest(accepted().route.sessionKey), undefined, 'it came without files');
    const sent: Understanding = { ...page, attachments: [{ kind: 'image', mime: 'image/png' }] };
    await s.journal.understanding.save('r1', sent, 900, []);
    assert.deepEqual(s.journal.understanding.latest(accepted().route.sessionKey), sent);
    assert.equal(s.journal.understanding.latest('agent:main:other'), undefined);
    await s.journal.endInbound([row.seq], { state: 'answered' });
    s.time.now = 10_000;
    await s.journal.prune(1000);
    assert.equal(s.journal.understanding.find('r1'), undefined);
  });

  it('stands in the timeline also when the scope keeps links from being read', async () => {
    await using s = await journalStage();
    await s.journal.inbound.accept(accepted(), 'r1');
    await s.journal.understanding.save('r1', { notes: [], media: [], attachments: [], links: { outcome: 'scope-deny', urls: [] } }, 900, []);
    assert.deepEqual(s.journal.timeline('r1')!.filter(({ steps }) => steps), [{ stage: 'link', at: 900, detail: 'links', ok: false, steps: [{ what: 'scope', outcome: 'skipped', reason: 'scope-deny' }] }]);
  });

  it('stands in the timeline: tried, chosen, reached, refused', async () => {
    await using s = await journalStage();
    await s.journal.inbound.accept(accepted(), 'r1');
    const media: Understanding['media'] = [{ capability: 'audio', outcome: 'skipped', attachments: [{ attachmentIndex: 0, name: 'v.ogg', attempts: [{ type: 'provider', provider: 'groq', model: 'w', outcome: 'failed', reason: 'timeout' }], reason: 'no model' }] }];
    await s.journal.understanding.save('r1', { ...page, media }, 900, []);
    assert.deepEqual(s.journal.timeline('r1')!.filter(({ steps }) => steps), [
      { stage: 'audio', at: 900, detail: 'v.ogg', ok: false, steps: [{ what: 'groq/w', outcome: 'failed', reason: 'timeout' }] },
      { stage: 'link', at: 900, ms: 4, detail: 'https://a.example', ok: true, steps: [{ what: 'cat', outcome: 'success', ms: 3, chosen: true, reached: ['a.example:443 → 1.2.3.4'] }] },
      { stage: 'link', at: 900, detail: 'http://10.0.0.1', ok: false, steps: [{ what: 'guard', outcome: 'blocked', reason: 'private' }] },
    ]);
  });
});
