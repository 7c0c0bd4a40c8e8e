import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChatAddress } from '../../core/message.ts';

import { ANN, BOB, CHANNEL, FORUM, GUILD, THREAD } from './fake-discord.ts';
import discord from './index.ts';
import { type Fixture, fixture, general, ann, to } from '../../testing/discord-fixture.ts';

describe('the actions', () => {
  const act = async (s: Fixture, name: string, parameters: object, where: ChatAddress = to(general)): Promise<any> =>
    s.connection.act!(name, { to: where, parameters: { ...parameters }, signal: new AbortController().signal });

  it('are all there is in the table, and each has its handler', async () => {
    await using s = await fixture();
    for (const { name } of discord.actions!) {
      const error = await act(s, name, {}).then(
        () => undefined,
        (thrown: { code?: string }) => thrown,
      );
      assert.notEqual(error?.code, 'unsupported', name);
    }
    await assert.rejects(act(s, 'nothing', {}), { code: 'unsupported' });
  });

  it('keep roles, moderation and changes of channels off by default', () => {
    const off = discord.actions!.filter(({ offByDefault }) => offByDefault).map(({ name }) => name);
    assert.deepEqual(off, [
      'role-add',
      'role-remove',
      'channel-create',
      'channel-edit',
      'channel-delete',
      'channel-move',
      'channel-permission-set',
      'channel-permission-remove',
      'timeout',
      'kick',
      'ban',
    ]);
  });

  it('read what was said, with names and times', async () => {
    await using s = await fixture();
    const id = await s.fake.write({ chat: general, by: ANN, text: 'hello' });
    const { messages } = await act(s, 'read', { limit: 500 });
    assert.deepEqual(
      [messages.length, messages[0].id, messages[0].text, messages[0].author],
      [1, id, 'hello', { id: ANN, name: 'Ann' }],
    );
    assert.equal(
      (await act(s, 'fetch', { messageLink: `https://discord.com/channels/${GUILD}/${CHANNEL}/${id}` })).message.text,
      'hello',
    );
    await assert.rejects(act(s, 'fetch', { messageLink: 'https://example.com' }), {
      code: 'invalid',
      message: /messageLink/,
    });
  });

  it('open public threads, and check what they are given', async () => {
    await using s = await fixture();
    s.fake.answers.set(`POST /channels/${CHANNEL}/threads`, { id: '7300', name: 'new' });
    assert.deepEqual(await act(s, 'thread-create', { name: 'new' }), {
      ok: true,
      threadId: '7300',
      channelId: CHANNEL,
      name: 'new',
    });
    assert.equal(s.fake.calls.find(({ path }) => path.endsWith('/threads'))!.body.type, 11);
    await assert.rejects(act(s, 'thread-create', { name: 'new' }, to({ kind: 'channel', id: FORUM })), {
      code: 'invalid',
      message: /begins with one/,
    });
    await assert.rejects(act(s, 'sticker', { stickerIds: ['1', '2', '3', '4'] }), { code: 'invalid' });
    await assert.rejects(act(s, 'member-info', { userId: 'ann' }), { code: 'invalid', message: /id of digits/ });
    await assert.rejects(act(s, 'event-create', { name: 'x', startTime: '2026-05-01', entityType: 'external' }), {
      code: 'invalid',
      message: /location and endTime/,
    });
    await assert.rejects(act(s, 'role-info', {}, to(ann)), { code: 'invalid', message: /does not belong to a server/ });
    await assert.rejects(act(s, 'emoji-upload', { name: 'x', media: '/etc/passwd' }), {
      code: 'invalid',
      message: /https address/,
    });
  });

  it('silence a member for at most 28 days', async () => {
    await using s = await fixture();
    s.fake.answers.set(`PATCH /guilds/${GUILD}/members/${BOB}`, {});
    await act(s, 'timeout', { userId: BOB, durationMinutes: 10, reason: 'späm' });
    const until = Date.parse(
      s.fake.calls.find(({ method, path }) => method === 'PATCH' && path.endsWith(BOB))!.body
        .communication_disabled_until,
    );
    assert.ok(Math.abs(until - Date.now() - 600_000) < 60_000);
    assert.equal((await act(s, 'timeout', { userId: BOB })).until, null);
    await assert.rejects(act(s, 'timeout', { userId: BOB, until: '2999-01-01' }), { code: 'invalid' });
  });

  it('read in threads', async () => {
    await using s = await fixture();
    await s.fake.write({ chat: { ...general, threadId: THREAD }, by: BOB, text: 'in here' });
    assert.equal((await act(s, 'read', {}, to(general, { threadId: THREAD }))).messages[0].text, 'in here');
  });
});
