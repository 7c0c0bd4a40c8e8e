/** Sessions for clients: listed, found, changed, reset, removed, and closed for answers (`spec/gateway.md` 8.3). */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';

const TWO_AGENTS = { agents: { list: [{ id: 'main', default: true }, { id: 'work' }] } };
const LONG_TITLE = 'Please plan a long weekend in Lisbon with two children and a dog who dislikes trams';

/** Three conversations, the newest last. */
async function threeSessions(gateway: RunningGateway): Promise<Chat> {
  const chat = await gateway.connect();
  gateway.models.reply(
    { text: ['in main'] },
    { text: ['in lisbon'], usage: { input: 120, output: 8 } },
    { text: ['in work'] },
  );
  await chat.say('good morning');
  await chat.say(LONG_TITLE, { session: 'agent:main:trip' });
  await chat.say('the invoice', { session: 'agent:work:main' });
  return chat;
}

const keysOf = ({ sessions }: { sessions: { key: string }[] }): string[] => sessions.map(({ key }) => key);
const filesOf = (gateway: RunningGateway, agentId = 'main'): string[] =>
  readdirSync(join(gateway.stateDir, 'agents', agentId, 'sessions'));

describe('sessions.list', () => {
  it('is newest first and filtered by agent, label, age and search', async () => {
    await using gateway = await startGateway({ config: TWO_AGENTS });
    await using chat = await threeSessions(gateway);
    await chat.call('sessions.patch', { key: 'agent:work:main', label: 'Taxes 2026' });
    const list = async (params: object = {}): Promise<string[]> => keysOf(await chat.call('sessions.list', params));
    assert.deepEqual(await list(), ['agent:work:main', 'agent:main:trip', 'agent:main:main']);
    assert.deepEqual(await list({ agentId: 'Work' }), ['agent:work:main']);
    assert.deepEqual(await list({ label: 'Taxes 2026' }), ['agent:work:main']);
    assert.deepEqual(await list({ label: 'taxes' }), [], 'a label is compared whole');
    assert.deepEqual(await list({ search: 'TAXES' }), ['agent:work:main']);
    assert.deepEqual(await list({ search: 'main:TRIP' }), ['agent:main:trip'], 'by key');
    assert.deepEqual(await list({ search: 'lisbon' }), ['agent:main:trip'], 'by the title that is shown');
    const { sessionId } = (await chat.call('sessions.list', { agentId: 'work' })).sessions[0];
    assert.deepEqual(await list({ search: sessionId.slice(0, 13) }), ['agent:work:main'], 'by id');
    assert.deepEqual(await list({ activeMinutes: 5, limit: 1 }), ['agent:work:main']);
    assert.deepEqual(await list({ spawnedBy: 'agent:main:main' }), []);
  });

  it('shows a short title, the last words, and what the model reported', async () => {
    await using gateway = await startGateway({ config: TWO_AGENTS });
    await using chat = await threeSessions(gateway);
    const { sessions, count, totalCount } = await chat.call('sessions.list', {
      agentId: 'main',
      includeDerivedTitles: true,
      includeLastMessage: true,
    });
    assert.deepEqual([count, totalCount], [2, 2]);
    const [trip] = sessions;
    assert.match(trip.derivedTitle, /^Please plan a long weekend in Lisbon/);
    assert.ok(trip.derivedTitle.length <= 61 && /\w…$/.test(trip.derivedTitle), trip.derivedTitle);
    assert.ok(LONG_TITLE.startsWith(`${trip.derivedTitle.slice(0, -1)} `), 'cut between words');
    assert.deepEqual(
      [trip.lastMessagePreview, trip.kind, trip.modelProvider, trip.model],
      ['in lisbon', 'direct', 'fake', 'model'],
    );
    assert.equal(trip.totalTokens, 128);
    const { previews } = await chat.call('sessions.preview', { keys: ['agent:main:trip'], limit: 2, maxChars: 20 });
    assert.deepEqual(
      previews[0].items.map((item: any) => item.text),
      [`${LONG_TITLE.slice(0, 19)}…`, 'in lisbon'],
    );
  });
});

describe('changing a session', () => {
  it('keeps labels unique and says which session has one', async () => {
    await using gateway = await startGateway({ config: TWO_AGENTS });
    await using chat = await threeSessions(gateway);
    await chat.call('sessions.patch', { key: 'main', label: 'mine' });
    await assert.rejects(
      chat.call('sessions.patch', { key: 'agent:work:main', label: ' mine ' }),
      /in use by agent:main:main/,
    );
    await chat.call('sessions.patch', { key: 'main', label: 'mine' });
    assert.equal(
      (await chat.call('sessions.patch', { key: 'main', label: '  ' })).entry.label,
      undefined,
      'a blank one is none',
    );
    assert.equal((await chat.call('sessions.patch', { key: 'agent:work:main', label: 'mine' })).entry.label, 'mine');
  });

  it('starting over zeroes the counters and keeps the settings', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await chat.say('hi');
    const { entry: before } = await chat.call('sessions.patch', {
      key: 'main',
      thinkingLevel: 'high',
      verboseLevel: 'on',
      label: 'mine',
      model: 'fake/model',
    });
    const { entry } = await chat.call('sessions.reset', { key: 'main' });
    assert.notEqual(entry.sessionId, before.sessionId);
    assert.deepEqual([entry.inputTokens, entry.outputTokens, entry.totalTokens, entry.compactionCount], [0, 0, 0, 0]);
    assert.deepEqual(
      [entry.thinkingLevel, entry.verboseLevel, entry.label, entry.modelOverride],
      ['high', 'on', 'mine', 'model'],
    );
    assert.deepEqual(await chat.history(), []);
    assert.ok(filesOf(gateway).includes(`${before.sessionId}.jsonl`), 'the old conversation stays on disk');
  });

  it('removing one stops its run and sets the transcript aside; the main session stays', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply({ hang: true, text: ['so far'] });
    const { ended } = await chat.send('hello', { session: 'agent:main:side' });
    await chat.event((frame) => frame.event === 'chat' && frame.payload.state === 'delta');
    const { deleted, archived } = await chat.call('sessions.delete', { key: 'agent:main:side' });
    assert.equal((await ended).state, 'aborted');
    assert.deepEqual([deleted, archived.length, existsSync(archived[0])], [true, 1, true]);
    assert.match(archived[0], /\.jsonl\.deleted\./);
    assert.match(readFileSync(archived[0], 'utf8'), /"hello"/);
    assert.equal((await chat.call('sessions.delete', { key: 'agent:main:side' })).deleted, false);
    await assert.rejects(chat.call('sessions.delete', { key: 'main' }), /main session cannot be deleted/);
  });

  it('a branch has its own transcript up to a turn, names its parent, and neither sees what the other says next', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    for (const text of ['one', 'two', 'three']) await chat.say(text);
    await chat.call('sessions.patch', { key: 'main', thinkingLevel: 'high', elevatedLevel: 'full', label: 'mine' });
    const { messages } = await chat.call('chat.history', { sessionKey: 'main' });
    const idOf = (index: number): string => messages[index].__openclaw.id;
    const { key, entry, copied } = await chat.call('sessions.branch', { key: 'main', entryId: idOf(2) });
    assert.equal(copied, 4, 'with the answer of the turn');
    assert.deepEqual(
      [entry.branchedFrom.key, entry.branchedFrom.entryId, entry.thinkingLevel, entry.elevatedLevel, entry.title],
      ['agent:main:main', idOf(3), 'high', undefined, 'mine'],
    );
    await chat.say('four', { session: key });
    assert.deepEqual(
      (await chat.history(key)).map(({ text }) => text),
      ['one', 'ok', 'two', 'ok', 'four', 'ok'],
    );
    assert.equal((await chat.history()).length, 6, 'the parent is as it was');
    const { sessions } = await chat.call('sessions.list', {});
    assert.equal(sessions.find((row: { key: string }) => row.key === key).branchedFrom.key, 'agent:main:main');

    const before = await chat.call('sessions.branch', { key: 'main', entryId: idOf(2), before: true });
    assert.equal(before.copied, 2);
    const empty = await chat.call('sessions.branch', { key: 'main', entryId: idOf(0), before: true });
    assert.deepEqual([empty.copied, empty.entry.title, empty.entry.branchedFrom.entryId], [0, undefined, undefined]);
    await assert.rejects(chat.call('sessions.branch', { key: 'main', entryId: 'nothing' }), /no message nothing/);
    await assert.rejects(chat.call('sessions.branch', { key: 'nobody', entryId: idOf(0) }), /no session/);
  });

  it('pinned and archived are kept with the session, and the next message brings it back', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    const side = 'agent:main:side';
    await chat.say('a title like "archived":true is no mark', { session: 'agent:main:other' });
    await chat.say('hello', { session: side });
    const keys = async (params: object): Promise<string[]> =>
      (await chat.call('sessions.list', params)).sessions.map(({ key }: { key: string }) => key);
    const { entry: was } = await chat.call('sessions.patch', { key: side, verboseLevel: 'on' });
    const { entry } = await chat.call('sessions.patch', { key: side, archived: true, pinned: true });
    assert.deepEqual([entry.archived, entry.pinned, entry.updatedAt], [true, true, was.updatedAt]);
    assert.deepEqual(await keys({ archived: false, limit: 10 }), ['agent:main:other']);
    assert.deepEqual(await keys({ archived: false, search: 'agent' }), ['agent:main:other']);
    assert.deepEqual(await keys({ archived: true }), [side]);
    assert.deepEqual(await keys({ pinned: true }), [side]);
    assert.equal((await keys({})).length, 2);
    await chat.say('again', { session: side });
    assert.equal((await keys({ archived: false })).length, 2);
    const { entry: bare } = await chat.call('sessions.patch', { key: side, pinned: false });
    assert.equal('pinned' in bare, false);
  });

  it('keeping the last lines keeps the header and the old file; with fewer lines nothing happens', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    for (const text of ['one', 'two', 'three']) await chat.say(text);
    const few = await chat.call('sessions.compact', { key: 'main', maxLines: 400 });
    assert.deepEqual([few.compacted, few.kept], [false, 6]);
    const cut = await chat.call('sessions.compact', { key: 'main', maxLines: 2 });
    assert.deepEqual([cut.compacted, cut.kept, existsSync(cut.archived)], [true, 2, true]);
    assert.deepEqual(
      (await chat.history()).map(({ text }) => text),
      ['three', 'ok'],
    );
    const file = filesOf(gateway).find((name) => name.endsWith('.jsonl'))!;
    assert.match(
      readFileSync(join(gateway.stateDir, 'agents', 'main', 'sessions', file), 'utf8'),
      /^\{"type":"session"/,
    );
    await chat.say('four');
    assert.equal((await chat.history()).length, 4, 'the conversation goes on');
  });

  it('a note is a final event and a line of the transcript', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await assert.rejects(chat.call('chat.inject', { sessionKey: 'agent:main:nowhere', message: 'x' }), /no session/);
    await chat.say('hi');
    const { messageId } = await chat.call('chat.inject', {
      sessionKey: 'main',
      message: 'the door bell',
      label: 'house',
    });
    await chat.event(
      (frame) =>
        frame.event === 'chat' && frame.payload.runId === `inject-${messageId}` && frame.payload.state === 'final',
    );
    assert.equal((await chat.history()).at(-1)?.text, '[house]\n\nthe door bell');
    const { sessionId } = await chat.call('chat.history', { sessionKey: 'main' });
    const line = readFileSync(join(gateway.stateDir, 'agents', 'main', 'sessions', `${sessionId}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .at(-1)!;
    assert.equal(JSON.parse(line).message.stopReason, 'injected');
  });
});

describe('what a session asks for', () => {
  it('its model and thinking level reach the vendor; a turn may ask for another level', async () => {
    await using gateway = await startGateway();
    const models = {
      providers: {
        fake: {
          baseUrl: `${gateway.models.url}/v1`,
          apiKey: 'k',
          api: 'openai-completions',
          models: [{ id: 'model', reasoning: true }, { id: 'other' }],
        },
      },
    };
    await gateway.restart({
      while: () =>
        gateway.writeConfig({ models, agents: { defaults: { models: { 'fake/other': { alias: 'quick' } } } } }),
    });
    await using chat = await gateway.connect();
    await chat.say('by default');
    await chat.call('sessions.patch', { key: 'main', thinkingLevel: 'high' });
    await chat.say('by the session');
    await chat.client.call('agent', {
      message: 'by the turn',
      sessionKey: 'main',
      thinking: 'medium',
      idempotencyKey: 'turn-1',
    });
    await chat.client.call('agent', {
      message: 'not at all',
      sessionKey: 'main',
      thinking: 'off',
      idempotencyKey: 'turn-2',
    });
    await chat.call('sessions.patch', { key: 'main', model: 'quick' });
    await chat.say('cannot think');
    assert.deepEqual(
      gateway.models.requests.map(({ thinking, body }) => [body.model, thinking]),
      [
        ['model', 'low'],
        ['model', 'high'],
        ['model', 'medium'],
        ['model', undefined],
        ['other', undefined],
      ],
    );
    await assert.rejects(chat.call('sessions.patch', { key: 'main', model: 'fake/nobody' }), /unknown model/);
  });

  it('the send policy closes it for chat.send and agent, by rule or by its own setting', async () => {
    await using gateway = await startGateway({
      config: { session: { sendPolicy: { rules: [{ action: 'deny', match: { keyPrefix: 'cron:' } }] } } },
    });
    await using chat = await gateway.connect();
    await assert.rejects(chat.send('hi', { session: 'agent:main:cron:job' }), /send blocked by session policy/);
    await chat.call('sessions.patch', { key: 'agent:main:cron:job', sendPolicy: 'allow' });
    assert.equal(await chat.say('hi', { session: 'agent:main:cron:job' }), 'ok');
    await chat.call('sessions.patch', { key: 'main', sendPolicy: 'deny' });
    await assert.rejects(
      chat.client.call('agent', { message: 'hi', sessionKey: 'main', idempotencyKey: 'a1' }),
      /send blocked by session policy/,
    );
    await chat.call('sessions.patch', { key: 'main', sendPolicy: null });
    assert.equal(await chat.say('hi'), 'ok');
  });
});
