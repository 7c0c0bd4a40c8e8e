// Reading and changing sessions.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { present } from '../../core/present.ts';
import { startTestGateway, type TestGateway } from '../../testing/ws-gateway.ts';

async function withSessions(): Promise<TestGateway> {
  const gateway = await startTestGateway();
  for (const [key, label] of [
    ['agent:main:main', undefined],
    ['agent:main:telegram:group:-5', 'family'],
    ['agent:work:main', undefined],
  ] as const)
    gateway.services.sessionEntries.set(key, present({ sessionId: `id-${key}`, updatedAt: 5, label }));
  gateway.services.chat.transcripts.set('agent:main:main', [
    { role: 'user', content: [{ type: 'text', text: 'what  is\nnew?' }], timestamp: 1 },
  ]);
  return gateway;
}

describe('sessions.list, preview, resolve', () => {
  it('lists rows with kind, agent and the last message when asked', async () => {
    await using gateway = await withSessions();
    const client = await gateway.client();
    const { sessions, count } = await client.call('sessions.list', { includeLastMessage: true });
    assert.equal(count, 3);
    assert.deepEqual(
      sessions.map((row: any) => [row.kind, row.agentId, row.isMain]),
      [
        ['direct', 'main', true],
        ['group', 'main', false],
        ['direct', 'work', true],
      ],
    );
    assert.equal(sessions[0].lastMessagePreview, 'what is new?');
    assert.equal((await client.call('sessions.list', { agentId: 'work' })).count, 1);
    assert.equal((await client.call('sessions.list', { limit: 1, offset: 1 })).sessions[0].label, 'family');
  });

  it('previews what is there and says what is not', async () => {
    await using gateway = await withSessions();
    const client = await gateway.client();
    const { previews } = await client.call('sessions.preview', { keys: ['main', 'agent:work:main', 'nowhere'] });
    assert.deepEqual(
      previews.map((preview: any) => [preview.key, preview.status]),
      [
        ['main', 'ok'],
        ['agent:work:main', 'empty'],
        ['nowhere', 'missing'],
      ],
    );
    assert.deepEqual(previews[0].items, [{ role: 'user', text: 'what is new?' }]);
    assert.equal((await client.request('sessions.preview', { keys: [] })).error.code, 'INVALID_REQUEST');
  });

  it('finds by key, id, short id or label', async () => {
    await using gateway = await withSessions();
    const client = await gateway.client();
    for (const params of [{ key: 'main' }, { sessionId: 'id-agent:main:main' }, { shortId: 'id-agent:main:main' }])
      assert.equal((await client.call('sessions.resolve', params)).key, 'agent:main:main', JSON.stringify(params));
    assert.equal((await client.call('sessions.resolve', { label: 'family' })).key, 'agent:main:telegram:group:-5');
    assert.deepEqual(await client.call('sessions.resolve', { label: 'nobody', allowMissing: true }), { ok: false });
    assert.match(
      (await client.request('sessions.resolve', { label: 'nobody' })).error.message,
      /no session with label "nobody"/,
    );
    assert.match((await client.request('sessions.resolve', { shortId: 'id-' })).error.message, /matches 3 sessions/);
    assert.match((await client.request('sessions.resolve', { key: 'main', label: 'x' })).error.message, /exactly one/);
  });
});

describe('sessions.patch', () => {
  it('sets, clears, and keeps "off" only where it means something', async () => {
    await using gateway = await withSessions();
    const client = await gateway.client();
    const { entry } = await client.call('sessions.patch', {
      key: 'main',
      label: ' me ',
      thinkingLevel: 'high',
      elevatedLevel: 'off',
      verboseLevel: 'off',
      model: 'fake/echo',
    });
    assert.deepEqual(
      [
        entry.label,
        entry.thinkingLevel,
        entry.elevatedLevel,
        entry.verboseLevel,
        entry.modelOverride,
        entry.providerOverride,
      ],
      ['me', 'high', 'off', undefined, 'echo', 'fake'],
    );
    const cleared = await client.call('sessions.patch', {
      key: 'main',
      label: null,
      model: null,
      thinkingLevel: 'off',
      pinned: true,
      icon: 'x',
    });
    assert.deepEqual(
      [
        cleared.entry.label,
        cleared.entry.modelOverride,
        cleared.entry.thinkingLevel,
        cleared.entry.pinned,
        cleared.ignored,
      ],
      [undefined, undefined, undefined, true, ['icon']],
    );
  });

  const bad: [string, Record<string, unknown>, RegExp][] = [
    ['a label somebody has', { label: 'family' }, /already in use/],
    ['a model nobody has', { model: 'gpt-99' }, /unknown model/],
    ['a level that is none', { thinkingLevel: 'galactic' }, /thinkingLevel/],
    ['a parent for a session nobody spawned', { spawnedBy: 'agent:main:main' }, /sub-agent sessions only/],
    ['a session that was started over', { expectedSessionId: 'older' }, /was reset/],
  ];
  for (const [name, patch, message] of bad) {
    it(`refuses ${name}`, async () => {
      await using gateway = await withSessions();
      const client = await gateway.client();
      const { error } = await client.request('sessions.patch', { key: 'main', ...patch });
      assert.equal(error.code, 'INVALID_REQUEST');
      assert.match(error.message, message);
    });
  }

  it('writes the parent of a spawned session once', async () => {
    await using gateway = await withSessions();
    const client = await gateway.client();
    const key = 'agent:main:subagent:1';
    await client.call('sessions.patch', { key, spawnedBy: 'agent:main:main' });
    await client.call('sessions.patch', { key, spawnedBy: 'agent:main:main' });
    assert.match(
      (await client.request('sessions.patch', { key, spawnedBy: 'agent:work:main' })).error.message,
      /cannot be changed/,
    );
  });
});

describe('sessions.reset, delete, compact and who hears of it', () => {
  it('tells those who watch the list, and only them', async () => {
    await using gateway = await withSessions();
    const client = await gateway.client();
    const watcher = await gateway.client({ scopes: ['operator.read'] });
    const other = await gateway.client();
    assert.deepEqual(await watcher.call('sessions.subscribe'), { subscribed: true });
    assert.match((await client.call('sessions.reset', { key: 'main' })).entry.sessionId, /^fresh-/);
    assert.equal(
      (await watcher.event('sessions.changed', ({ reason }) => reason === 'reset')).payload.sessionKey,
      'agent:main:main',
    );
    assert.deepEqual(
      await client.call('sessions.compact', { key: 'main', maxLines: 0 }).catch(() => 'refused'),
      'refused',
    );
    assert.equal((await client.call('sessions.compact', { key: 'main' })).compacted, true);
    assert.match((await client.request('sessions.delete', { key: 'main' })).error.message, /main session/);
    assert.equal((await client.call('sessions.delete', { key: 'agent:work:main' })).deleted, true);
    await watcher.event('sessions.changed', ({ reason }) => reason === 'delete');
    assert.deepEqual(await watcher.call('sessions.unsubscribe'), { subscribed: false });
    await other.call('health');
    assert.equal(
      other.frames.some((frame) => frame.event === 'sessions.changed'),
      false,
    );
  });

  it('lets one connection follow so many and no more', async () => {
    await using gateway = await withSessions();
    const client = await gateway.client();
    for (let i = 0; i < 1000; i += 1) await client.call('sessions.messages.subscribe', { key: `s${i}` });
    assert.match(
      (await client.request('sessions.messages.subscribe', { key: 'one-more' })).error.message,
      /at most 1000/,
    );
    assert.equal((await client.call('sessions.messages.subscribe', { key: 's1' })).subscribed, true);
  });

  it('follows the messages of one session under its canonical key', async () => {
    await using gateway = await withSessions();
    const client = await gateway.client();
    const follower = await gateway.client();
    assert.deepEqual(await follower.call('sessions.messages.subscribe', { key: 'MAIN' }), {
      subscribed: true,
      key: 'agent:main:main',
    });
    await client.call('chat.send', { sessionKey: 'main', message: 'hi', idempotencyKey: 'f1' });
    const answer = await follower.event('session.message', ({ message }) => message.role === 'assistant');
    assert.deepEqual(answer.payload.message.content, [{ type: 'text', text: 'echo: hi' }]);
    const question = follower.frames.find((frame) => frame.event === 'session.message');
    assert.equal(question.payload.message.role, 'user');
    assert.equal(
      client.frames.some((frame) => frame.event === 'session.message'),
      false,
    );
    assert.equal((await follower.call('sessions.messages.unsubscribe', { key: 'main' })).subscribed, false);
  });
});
