/**
 * Sessions: opened, reset, listed, removed; and the location of their files (`spec/gateway.md` 2.1, 2.6, cases 78-80,
 * 85).
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { silentLog } from '../core/log.ts';
import { defaultKeyRules } from '../core/session-key.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createMemoryRedo } from '../testing/memory-redo.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { sessionConfigSchema } from './config.ts';
import { storePath, transcriptPath } from './paths.ts';
import { createSessions } from './sessions.ts';
import { createSessionStore } from './store.ts';
import { createTranscripts } from './transcripts.ts';

const KEY = 'agent:main:main';
const place = { channel: 'webchat', cwd: '', personal: true };

async function harness(config: object = {}) {
  const dir = await tempDir('sessions');
  const clock = createFakeClock();
  const slice = sessionConfigSchema.parse(config);
  const transcripts = createTranscripts({ log: silentLog });
  const where = {
    stateDir: dir.path,
    home: dir.path,
    store: slice.store === undefined ? undefined : join(dir.path, slice.store),
  };
  const store = createSessionStore({
    path: (agentId) => storePath(where, agentId),
    redo: createMemoryRedo(),
    log: silentLog,
    clock,
  });
  const sessions = createSessions({
    ...where,
    store,
    transcripts,
    log: silentLog,
    now: clock.now,
    config: () => ({ ...slice, store: where.store }),
    keyRules: () => defaultKeyRules,
  });
  return {
    clock,
    sessions,
    dir: dir.path,
    async [Symbol.asyncDispose]() {
      await transcripts.close();
      await store.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe('opening', () => {
  it('at the same moment from several sides gives one transcript to all, and a change in between is kept', async () => {
    await using s = await harness();
    const [turn, notice, label] = await Promise.all([
      s.sessions.open(KEY, place),
      s.sessions.open(KEY, place),
      s.sessions.patch(KEY, { label: 'mine' }),
    ]);
    const entry = await s.sessions.get(KEY);
    assert.deepEqual(
      [turn.entry.sessionId, notice.entry.sessionId, label.sessionId, entry?.label],
      [entry?.sessionId, entry?.sessionId, entry?.sessionId, 'mine'],
    );
  });

  it('and a first change at the same moment agree on the transcript', async () => {
    await using s = await harness();
    const [, turn] = await Promise.all([s.sessions.patch(KEY, { label: 'mine' }), s.sessions.open(KEY, place)]);
    const entry = await s.sessions.get(KEY);
    assert.deepEqual([entry?.sessionId, entry?.label], [turn.entry.sessionId, 'mine']);
  });

  it('makes a session once', async () => {
    await using s = await harness();
    const first = await s.sessions.open(KEY, place);
    const second = await s.sessions.open(KEY, place);
    assert.deepEqual([first.isNew, second.isNew, second.entry.sessionId], [true, false, first.entry.sessionId]);
    assert.equal(await s.sessions.existing('agent:main:other'), undefined);
  });

  it('begins with what was answered in another one, for a new session of the same agent alone', async () => {
    await using s = await harness();
    const parent = await s.sessions.open(KEY, place);
    const line = (id: string, message: object) => ({ type: 'message', id, turnId: id, message }) as never;
    const said = (text: string) => ({ role: 'user', content: [{ type: 'text', text }], timestamp: 1 });
    await parent.transcript.append([
      line('u1', said('hello')),
      line('a1', { role: 'assistant', content: [{ type: 'text', text: 'hi' }], stopReason: 'stop' }),
      line('u2', said('still being answered')),
    ]);
    const child = await s.sessions.open('agent:main:thread', { ...place, parentKey: KEY });
    assert.deepEqual(
      child.transcript.lines.map(({ id }) => id),
      ['u1', 'a1'],
    );
    assert.deepEqual(child.entry.branchedFrom, { key: KEY, sessionId: parent.entry.sessionId, entryId: 'a1' });
    const again = await s.sessions.open('agent:main:thread', { ...place, parentKey: KEY });
    assert.deepEqual([again.isNew, again.transcript.lines.length], [false, 2]);
    for (const [key, parentKey] of [
      ['agent:other:thread', KEY],
      ['agent:main:second', 'agent:main:nobody'],
    ] as const)
      assert.equal((await s.sessions.open(key, { ...place, parentKey })).transcript.lines.length, 0);
  });

  it('starts over when the policy says so, for people only', async () => {
    await using s = await harness({ reset: { mode: 'idle', idleMinutes: 1 } });
    const { entry } = await s.sessions.open(KEY, place);
    await s.clock.advance(61_000);
    assert.equal((await s.sessions.open(KEY, { ...place, personal: false })).entry.sessionId, entry.sessionId);
    const fresh = await s.sessions.open(KEY, place);
    assert.notEqual(fresh.entry.sessionId, entry.sessionId);
    assert.equal(fresh.isNew, true);
  });
});

it('a change may leave the time of the last one as it is', async () => {
  await using s = await harness();
  const { updatedAt } = await s.sessions.patch(KEY, {});
  await s.clock.advance(5000);
  assert.deepEqual(
    (({ updatedAt: at, title }) => [at, title])(await s.sessions.patch(KEY, { title: 'x', updatedAt: null })),
    [updatedAt, 'x'],
  );
  assert.equal((await s.sessions.patch(KEY, { title: 'y' })).updatedAt, updatedAt + 5000);
});

it('a reset zeroes the counters and keeps the chosen settings', async () => {
  await using s = await harness();
  await s.sessions.patch(KEY, {
    inputTokens: 9,
    totalTokens: 9,
    compactionCount: 2,
    costUsd: 1,
    thinkingLevel: 'high',
    modelOverride: 'm',
    label: 'mine',
    sendPolicy: 'deny',
    queueMode: 'steer',
  });
  const before = (await s.sessions.get(KEY))!;
  const { sessionId, createdAt: _created, updatedAt: _updated, ...rest } = await s.sessions.reset(KEY);
  assert.notEqual(sessionId, before.sessionId);
  assert.deepEqual(rest, {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    compactionCount: 0,
    thinkingLevel: 'high',
    modelOverride: 'm',
    label: 'mine',
    sendPolicy: 'deny',
    queueMode: 'steer',
  });
});

describe('a list', () => {
  it('has the newest first', async () => {
    await using s = await harness();
    for (const key of ['a', 'b', 'c']) {
      await s.sessions.patch(`agent:main:${key}`, {});
      await s.clock.advance(10);
    }
    await s.sessions.patch('agent:main:a', { label: 'touched' });
    assert.deepEqual(
      (await s.sessions.list('main')).map(({ key }) => key),
      ['agent:main:a', 'agent:main:c', 'agent:main:b'],
    );
  });

  it("has the agent's own sessions, also in a store all agents share", async () => {
    await using s = await harness({ store: 'shared.json' });
    await s.sessions.patch('agent:main:a', {});
    await s.sessions.patch('agent:work:b', {});
    await s.clock.advance(2000);
    await s.sessions.patch('agent:main:c', {});
    await s.clock.advance(60_000);
    assert.deepEqual((await s.sessions.list('main')).map(({ key }) => key).sort(), ['agent:main:a', 'agent:main:c']);
    assert.deepEqual(
      (await s.sessions.list('work')).map(({ key }) => key),
      ['agent:work:b'],
    );
  });
});

describe('deleting', () => {
  it('keeps the transcript, renamed when asked', async () => {
    await using s = await harness();
    const { transcript } = await s.sessions.open(KEY, place);
    await transcript.append([{ type: 'message', id: 'a', message: { role: 'user', content: [], timestamp: 1 } }]);
    const { deleted, archived } = await s.sessions.delete(KEY, true);
    assert.deepEqual([deleted, archived.length, await s.sessions.get(KEY)], [true, 1, undefined]);
    assert.deepEqual(
      (await readdir(join(s.dir, 'agents', 'main', 'sessions'))).filter((name) => name.endsWith('.jsonl')),
      [],
    );
    assert.match(archived[0]!, /\.jsonl\.deleted\.2026-/);
  });

  it('discards a transcript the session had once, never the one it has', async () => {
    await using s = await harness();
    const line = { type: 'message' as const, id: 'a', message: { role: 'user' as const, content: [], timestamp: 1 } };
    const first = await s.sessions.open(KEY, place);
    await first.transcript.append([line]);
    await s.sessions.reset(KEY);
    const second = await s.sessions.open(KEY, place);
    await second.transcript.append([line]);
    for (const { entry } of [first, second, first]) await s.sessions.discard(KEY, entry.sessionId);
    assert.deepEqual(
      (await readdir(join(s.dir, 'agents', 'main', 'sessions'))).filter((name) => name.endsWith('.jsonl')),
      [`${second.entry.sessionId}.jsonl`],
    );
  });

  it('of what is not there is no error', async () => {
    await using s = await harness();
    assert.deepEqual(await s.sessions.delete(KEY, true), { deleted: false, archived: [] });
    await s.sessions.patch(KEY, {});
    assert.deepEqual(await s.sessions.delete(KEY, true), { deleted: true, archived: [] });
  });
});

describe('files', () => {
  const where = { stateDir: '/state', home: '/home/me' };
  it('lie where the documentation says', () => {
    assert.equal(storePath(where, 'work'), '/state/agents/work/sessions/sessions.json');
    assert.equal(storePath({ ...where, store: '~/s/{agentId}/{agentId}.json' }, 'work'), '/home/me/s/work/work.json');
    assert.equal(transcriptPath('/s/sessions.json', 'abc-1'), '/s/abc-1.jsonl');
  });

  for (const id of ['../../etc/passwd', '/etc/passwd', '..', '.hidden', 'a/b', 'a\0b', 'a\nb'])
    it(`${JSON.stringify(id)} stays in its folder`, () =>
      assert.match(transcriptPath('/s/sessions.json', id), /^\/s\/[^/.\0\n][^/\0\n]*\.jsonl$/));
});
