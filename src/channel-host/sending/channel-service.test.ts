/** Sends and actions without a turn: channel, chat, once only, recorded, and within the settings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { capabilities, channelFixture, KICK, plugin, webchat } from '../../testing/channel-fixture.ts';

const signal = new AbortController().signal;

describe('the target', () => {
  it('G53 uses the only configured channel; several and none are errors', async () => {
    await using one = await channelFixture({ plugins: [plugin('alpha'), webchat] });
    assert.equal(one.service.resolve({ to: '42' }).channel, 'alpha');
    await using two = await channelFixture();
    assert.throws(() => two.service.resolve({ to: '42' }), /Choose a channel to send to\. Channels: alpha, beta\./);
    await using none = await channelFixture({ plugins: [webchat] });
    assert.throws(() => none.service.resolve({ to: '42' }), /no configured channels/);
  });

  it('G45 is never a surface of the product', async () => {
    await using fixture = await channelFixture();
    assert.throws(
      () => fixture.service.resolve({ channel: 'webchat', to: '42' }),
      /Use another channel, or no delivery\. Channels: alpha, beta\./,
    );
    assert.throws(
      () => fixture.service.resolve({ channel: 'pigeon', to: '42' }),
      /"pigeon" is unknown or not configured/,
    );
  });

  it('G52 G46 is what the channel makes of it: a bare name is nobody', async () => {
    await using fixture = await channelFixture();
    for (const to of ['general', '@ana', '', ' '])
      assert.throws(
        () => fixture.service.resolve({ channel: 'alpha', to }),
        /is not a valid target on Alpha\. Targets: user:<id>/,
        to,
      );
    assert.deepEqual(fixture.service.resolve({ to: 'beta:user:ana', threadId: '7' }), {
      channel: 'beta',
      accountId: 'default',
      chat: { kind: 'direct', id: 'ana' },
      threadId: '7',
    });
    assert.equal(
      fixture.service.resolve({ to: ' Alpha:-100 ' }).chat.id,
      '-100',
      'a target may begin with its channel',
    );
  });

  it('is on the account named, the default one, the first one', async () => {
    await using fixture = await channelFixture({ config: { alpha: { accounts: { work: {}, home: {} } } } });
    assert.equal(fixture.service.resolve({ channel: 'alpha', to: '1' }).accountId, 'work');
    assert.equal(fixture.service.resolve({ channel: 'alpha', accountId: 'Home', to: '1' }).accountId, 'home');
    assert.throws(
      () => fixture.service.resolve({ channel: 'alpha', accountId: 'pub', to: '1' }),
      /no account "pub"\. Accounts: work, home/,
    );
  });
});

describe('a send', () => {
  it('G60 goes out once per key, also twice at once and in another run', async () => {
    const gate = Promise.withResolvers<void>();
    await using fixture = await channelFixture({ answers: [gate.promise] });
    const request = { channel: 'alpha', to: '42', text: 'hi', runId: 'k1' };
    const both = [fixture.service.send(request), fixture.service.send(request)];
    gate.resolve();
    const [first, second] = await Promise.all(both);
    assert.deepEqual(first, second);
    assert.deepEqual(await fixture.service.send(request), first, 'again, later');
    assert.deepEqual(await fixture.begin().send(request), first, 'after a restart the outbox knows it');
    assert.equal(fixture.sent.length, 1);
    assert.equal(first!.messageId, 'm1');
    assert.deepEqual(fixture.sent[0]!.message, {
      token: 'k1:send:0',
      runId: 'k1',
      sessionKey: 'agent:main:alpha:group:42',
      payload: { kind: 'final', text: 'hi' },
    });
  });

  it('G63 keeps its failure for five minutes; a new key sends', async () => {
    await using fixture = await channelFixture({ answers: [new AppError('denied', 'the bot was blocked')] });
    const request = { channel: 'alpha', to: '42', text: 'hi', runId: 'k1' };
    for (let again = 0; again < 2; again++)
      await assert.rejects(fixture.service.send(request), {
        code: 'unavailable',
        message: /did not take the message: the bot was blocked/,
      });
    assert.equal(fixture.sent.length, 1);
    await fixture.service.send({ ...request, runId: 'k2' });
    assert.equal(fixture.sent.length, 2);
  });

  it('waits in the outbox while the channel is away, and says not to send it again', async () => {
    await using fixture = await channelFixture();
    fixture.state.connected = false;
    const request = { channel: 'alpha', to: '42', text: 'hi', runId: 'k1' };
    await assert.rejects(fixture.service.send(request), {
      code: 'unavailable',
      message: /is sent once it connects; do not send it again/,
    });
    fixture.state.connected = true;
    assert.equal((await fixture.service.send(request)).messageId, 'm1', 'the same key looks again');
    assert.equal(fixture.sent.length, 1);
  });

  it('is reported as late after half a minute, and stays queued', async () => {
    const gate = Promise.withResolvers<void>();
    await using fixture = await channelFixture({ answers: [gate.promise] });
    const sending = fixture.service.send({ channel: 'alpha', to: '42', text: 'hi', runId: 'k1' });
    const late = assert.rejects(sending, { code: 'timeout', message: /stays in the outbox/ });
    while (fixture.sent.length === 0) await new Promise(setImmediate);
    await fixture.clock.advance(30_000);
    await late;
    gate.resolve();
  });

  it('G55 sends nothing once it was stopped, and nothing for nothing', async () => {
    await using fixture = await channelFixture({
      plan: (_address, payload) => (payload.text || payload.media ? [payload] : []),
    });
    await assert.rejects(
      fixture.service.send({ channel: 'alpha', to: '42', text: 'hi', runId: 'k1', signal: AbortSignal.abort() }),
      { code: 'aborted' },
    );
    await assert.rejects(fixture.service.send({ channel: 'alpha', to: '42', text: ' ', runId: 'k2' }), {
      code: 'invalid',
      message: /Nothing to send/,
    });
    assert.equal(fixture.sent.length, 0);
  });

  it('G61 is noted where it went: words, or the names of files; not when it failed, not by the turn that sent it', async () => {
    await using fixture = await channelFixture({ answers: [new AppError('denied', 'no')] });
    const to = { channel: 'alpha', to: '42' };
    await assert.rejects(fixture.service.send({ ...to, text: 'lost', runId: 'k0' }));
    await fixture.service.send({ ...to, text: ' hi ', runId: 'k1' });
    await fixture.service.send({
      ...to,
      text: 'look',
      media: [
        { from: 'url', url: 'https://x.example/a%20b.png?w=1' },
        { from: 'url', url: 'https://x.example/' },
      ],
      files: [{ data: new Uint8Array(1), mime: 'text/plain', name: 'c.txt' }],
      runId: 'k2',
    });
    await fixture.service.send({ ...to, text: 'there', sessionKey: 'Agent:Main:Other', runId: 'k3' });
    await fixture.service.send({ ...to, text: 'mine', fromSession: 'agent:main:alpha:group:42', runId: 'k4' });
    assert.deepEqual(
      fixture.notes.map(({ sessionKey, text, token }) => [sessionKey, text, token]),
      [
        ['agent:main:alpha:group:42', 'hi', 'k1:send'],
        ['agent:main:alpha:group:42', 'a b.png, media, c.txt', 'k2:send'],
        ['agent:main:other', 'there', 'k3:send'],
      ],
    );
    assert.deepEqual(fixture.sent[2]!.message.payload.media?.at(-1), {
      from: 'file',
      path: '/kept/c.txt',
      mime: 'text/plain',
      name: 'c.txt',
    });
  });

  it('of several parts tells how many were not taken', async () => {
    await using fixture = await channelFixture({
      plan: (_address, payload) => [payload, { ...payload, text: 'two' }],
      answers: [Promise.resolve(), new AppError('denied', 'too long')],
    });
    await assert.rejects(
      fixture.service.send({ channel: 'alpha', to: '42', text: 'one', runId: 'k1' }),
      /1 of the 2 parts of the message: too long/,
    );
  });

  it('of a poll asks the channel, once', async () => {
    await using fixture = await channelFixture();
    const poll = { question: 'When?', options: ['Mon', 'Tue'], maxSelections: 1 };
    const request = { channel: 'alpha', to: '42', poll, runId: 'p1' };
    const [first] = await Promise.all([fixture.service.send(request), fixture.service.send(request)]);
    assert.deepEqual([first.messageId, first.pollId, fixture.done.length], ['poll-1', 'q1', 1]);
    await using dumb = await channelFixture({ plugins: [plugin('alpha')], connection: { poll: undefined as never } });
    const asText = await dumb.service.send({ ...request, poll: { ...poll, maxSelections: 2 } });
    assert.equal(asText.pollId, undefined);
    assert.deepEqual(
      dumb.sent.map(({ message }) => message.payload),
      [{ kind: 'final', text: 'When?\nA. Mon\nB. Tue\nAnswer with one or more letters.', plain: true }],
    );
  });
});

describe('an action', () => {
  const here = { channel: 'alpha', accountId: 'default', chat: { kind: 'group', id: '42' } } as const;

  it('of the channel gets its parameters and the chat', async () => {
    await using fixture = await channelFixture();
    assert.deepEqual(await fixture.service.act({ action: 'pin', here, parameters: { messageId: 7 }, signal }), {
      acted: 'pin',
    });
    await fixture.service.act({
      action: 'pin',
      channel: 'alpha',
      parameters: { target: 'user:ana', messageId: '8' },
      signal,
    });
    assert.deepEqual(
      fixture.acted.map(({ call }) => [call.to?.chat.id, call.parameters['messageId']]),
      [
        ['42', 7],
        ['ana', '8'],
      ],
    );
  });

  it('names what is missing, unknown or turned off', async () => {
    await using fixture = await channelFixture({ config: { alpha: { actions: { polls: false } } } });
    const refused = (action: string, parameters = {}): Promise<unknown> =>
      fixture.service.act({ action, here, parameters, signal });
    await assert.rejects(refused('pin'), {
      code: 'invalid',
      message: 'pin needs messageId: Message id.',
    });
    await assert.rejects(refused('fly'), {
      code: 'unsupported',
      message: 'Alpha cannot "fly". It can: react, edit, delete, pin.',
    });
    await assert.rejects(refused('kick', { userId: '1' }), {
      code: 'unsupported',
      message: /turned off on Alpha: set channels\.alpha\.actions\.moderation to true/,
    });
    await assert.rejects(
      refused('poll', { pollQuestion: 'q', pollOption: ['a', 'b'] }),
      /set channels\.alpha\.actions\.polls to true/,
    );
    await assert.rejects(refused('react', { messageId: '1' }), /react needs emoji/);
    await assert.rejects(
      fixture.service.act({
        action: 'react',
        channel: 'beta',
        here,
        parameters: { messageId: '1', emoji: 'x' },
        signal,
      }),
      /react needs target/,
    );
    fixture.state.connected = false;
    await assert.rejects(refused('pin', { messageId: '1' }), { code: 'unavailable', message: /channels status/ });
  });

  it('that every channel can is done by its connection', async () => {
    await using fixture = await channelFixture({ config: { alpha: { actions: { moderation: true } } } });
    const run = (action: string, parameters: object): Promise<unknown> =>
      fixture.service.act({ action, here, parameters: { messageId: '7', ...parameters }, signal });
    await run('react', { emoji: '👍' });
    await run('react', { emoji: '' });
    await run('react', { emoji: '👍', remove: 'true' });
    await run('edit', { message: 'new' });
    await run('delete', {});
    assert.deepEqual(
      await run('poll', { pollQuestion: 'q', pollOption: ['a', 'b', 'c'], pollMulti: true, pollDurationHours: 2 }),
      { ok: true, messageIds: ['poll-1'], pollId: 'q1' },
    );
    assert.deepEqual(fixture.done.map(([name, , ...rest]) => [name, ...rest]).slice(0, 3), [
      ['react', '7', '👍', { remove: false }],
      ['react', '7', '', { remove: true }],
      ['react', '7', '👍', { remove: true }],
    ]);
    assert.equal((fixture.done[3]![3] as { payload: { text: string } }).payload.text, 'new');
    assert.deepEqual(
      [fixture.done[4]!.slice(2), fixture.done[5]![2]],
      [['7'], { question: 'q', options: ['a', 'b', 'c'], maxSelections: 3, durationHours: 2 }],
    );
    await run('kick', { userId: '1' });
    assert.equal(fixture.acted.at(-1)?.action, KICK.name);
  });

  it('is shown to the agent as far as one account has it on', async () => {
    await using fixture = await channelFixture({
      config: {
        alpha: { accounts: { a: { actions: { pins: false } }, b: { actions: { pins: false, moderation: true } } } },
      },
    });
    const [alpha, beta] = fixture.reachable();
    assert.deepEqual(
      alpha!.actions.map(({ name }) => name),
      ['poll', 'react', 'edit', 'delete', 'kick'],
    );
    assert.deepEqual(
      beta!.actions.map(({ name }) => name),
      ['poll', 'react', 'edit', 'delete'],
    );
    assert.equal(fixture.reachable(), fixture.reachable(), 'the same object while nothing changes');
    await using plain = await channelFixture({
      plugins: [plugin('alpha', { capabilities: { ...capabilities, react: false, edit: false, remove: false } })],
    });
    assert.deepEqual(
      plain.reachable()[0]!.actions.map(({ name }) => name),
      ['poll'],
    );
  });
});
