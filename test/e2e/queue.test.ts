/** Messages that arrive while their session is busy (`spec/gateway.md` 2.7, 8.4), and stopping a turn. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

const withQueue = (queue: object): object => ({ messages: { queue: { debounceMs: 0, ...queue } } });

/** A turn that hangs at the model until it is stopped, so that what follows has to wait. */
async function busy(gateway: RunningGateway, chat: Chat): Promise<{ runId: string; ended: Promise<any> }> {
  gateway.models.reply({ hang: true, text: ['thinking about it'] });
  const running = await chat.send('long work');
  await chat.event(
    (frame) => frame.event === 'chat' && frame.payload.runId === running.runId && frame.payload.state === 'delta',
  );
  return running;
}

const asked = (gateway: RunningGateway, index = -1): string => gateway.models.requests.at(index)!.texts.at(-1)!;

describe('queue modes', () => {
  it('collect answers what waited in one turn, in order', async () => {
    await using gateway = await startGateway({ config: withQueue({ mode: 'collect' }) });
    await using chat = await gateway.connect();
    const first = await busy(gateway, chat);
    const waiting = [await chat.send('a'), await chat.send('b'), await chat.send('c')];
    gateway.models.reply({ text: ['all three'] });
    await chat.call('chat.abort', { sessionKey: 'main', runId: first.runId });
    const ends = await Promise.all(waiting.map(({ ended }) => ended));
    assert.equal(gateway.models.requests.length, 2);
    assert.equal(
      asked(gateway),
      '[Queued messages while agent was busy]\n---\nQueued #1\na\n---\nQueued #2\nb\n---\nQueued #3\nc',
    );
    assert.deepEqual(
      ends.map(({ text, payload }) => text || payload.stopReason),
      ['all three', 'merged', 'merged'],
      'one answer, and an end for everybody that says where it is',
    );
  });

  it('collect knows a session by all its names', async () => {
    await using gateway = await startGateway({ config: withQueue({ mode: 'collect' }) });
    await using chat = await gateway.connect();
    const first = await busy(gateway, chat);
    const waiting = [await chat.send('a', { session: 'main' }), await chat.send('b', { session: 'agent:main:Main' })];
    gateway.models.reply({ text: ['both'] });
    await chat.call('chat.abort', { sessionKey: 'main', runId: first.runId });
    assert.equal((await waiting[0]!.ended).text, 'both');
    assert.match(asked(gateway), /Queued #1\na\n---\nQueued #2\nb/);
  });

  it('nothing overtakes a message whose picture is still being kept', async () => {
    await using gateway = await startGateway({ config: withQueue({ mode: 'followup' }) });
    await using chat = await gateway.connect();
    const picture = {
      type: 'image',
      mimeType: 'image/png',
      fileName: 'dot.png',
      content: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    };
    const sent = await Promise.all([chat.send('look', { attachments: [picture] }), chat.send('what is it?')]);
    await Promise.all(sent.map(({ ended }) => ended));
    assert.deepEqual(
      (await chat.history()).flatMap(({ role, text }) => (role === 'user' ? [text] : [])),
      ['look', 'what is it?'],
    );
  });

  it('followup gives each message its own turn', async () => {
    await using gateway = await startGateway({ config: withQueue({ mode: 'followup' }) });
    await using chat = await gateway.connect();
    const first = await busy(gateway, chat);
    const waiting = [await chat.send('a'), await chat.send('b')];
    gateway.models.reply({ text: ['A'] }, { text: ['B'] });
    await chat.call('chat.abort', { sessionKey: 'main', runId: first.runId });
    assert.deepEqual(
      (await Promise.all(waiting.map(({ ended }) => ended))).map(({ text }) => text),
      ['A', 'B'],
    );
  });

  it('steer puts the message into the running turn between two steps', async () => {
    await using gateway = await startGateway({ config: withQueue({ mode: 'steer' }) });
    await using chat = await gateway.connect();
    gateway.models.reply(
      { calls: [{ id: 'w', name: 'write', args: { path: 'x.txt', content: 'x' } }] },
      { text: ['steered'] },
    );
    const [first, second] = await Promise.all([chat.send('work'), chat.send('and mind this')]);
    const ends = await Promise.all([first.ended, second.ended]);
    assert.deepEqual(
      ends.map(({ text }) => text),
      ['steered', ''],
    );
    assert.equal(gateway.models.requests.length, 2);
    assert.ok(gateway.models.requests[1]!.texts.includes('and mind this'));
  });

  it('interrupt stops the running turn and answers the newest', async () => {
    await using gateway = await startGateway({ config: withQueue({ mode: 'interrupt' }) });
    await using chat = await gateway.connect();
    const first = await busy(gateway, chat);
    gateway.models.reply({ text: ['newest'] });
    assert.equal(await chat.say('never mind, this'), 'newest');
    assert.equal((await first.ended).state, 'aborted');
  });

  it('tells the sender when the queue is full', async () => {
    await using gateway = await startGateway({ config: withQueue({ mode: 'collect', cap: 2, drop: 'summarize' }) });
    await using chat = await gateway.connect();
    const first = await busy(gateway, chat);
    const waiting = [];
    for (const text of ['a', 'b', 'c', 'd']) waiting.push(await chat.send(text));
    assert.equal((await waiting[0]!.ended).payload.stopReason, 'merged');
    assert.match(
      (await waiting[1]!.ended).text,
      /Too many messages are waiting in this session, so 2 messages were not answered/,
    );
    gateway.models.reply({ text: ['c and d'] });
    await chat.call('chat.abort', { sessionKey: 'main', runId: first.runId });
    assert.equal((await waiting[2]!.ended).text, 'c and d');
    assert.match(asked(gateway), /\[Queue overflow\] Dropped 2 message\(s\) due to cap\.\n- a\n- b/);
  });

  it('a flood has one notice with a count, and no end of it is without a word', async () => {
    await using gateway = await startGateway({ config: withQueue({ mode: 'followup', cap: 20, drop: 'old' }) });
    await using chat = await gateway.connect();
    const first = await busy(gateway, chat);
    const sent = [
      ...(await Promise.all(Array.from({ length: 100 }, (_, index) => chat.send(`m${index}`)))),
      ...(await Promise.all(Array.from({ length: 100 }, (_, index) => chat.send(`m${100 + index}`)))),
    ];
    const dropped = await Promise.all(sent.slice(0, 180).map(({ ended }) => ended));
    await chat.call('chat.abort', { sessionKey: 'main', runId: first.runId });
    const ends = [...dropped, ...(await Promise.all(sent.slice(180).map(({ ended }) => ended)))];
    assert.deepEqual(
      ends.filter(({ text, payload }) => text === '' && payload.stopReason === undefined),
      [],
    );
    const notices = (await chat.history()).filter(({ text }) => text.includes('Too many messages'));
    assert.deepEqual(
      notices.map(({ text }) => /so (\d+) messages/.exec(text)?.[1]),
      ['180'],
    );
  });

  it('refuses the newest when told to', async () => {
    await using gateway = await startGateway({ config: withQueue({ mode: 'followup', cap: 1, drop: 'new' }) });
    await using chat = await gateway.connect();
    const first = await busy(gateway, chat);
    const kept = await chat.send('kept');
    assert.match(await chat.say('refused'), /Too many messages/);
    gateway.models.reply({ text: ['kept!'] });
    await chat.call('chat.abort', { sessionKey: 'main', runId: first.runId });
    assert.equal((await kept.ended).text, 'kept!');
  });
});

describe('stopping', () => {
  it('keeps what was said, in the event and in the history', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    const running = await busy(gateway, chat);
    const { aborted, runIds } = await chat.call('chat.abort', { sessionKey: 'main' });
    assert.deepEqual([aborted, runIds], [true, [running.runId]]);
    const end = await running.ended;
    assert.equal(end.state, 'aborted');
    assert.ok((await chat.history()).some(({ role, text }) => role === 'assistant' && text === 'thinking about it'));
    await gateway.models.requests[0]!.dropped;
  });

  it('/stop empties the queue, and stop words do', async () => {
    await using gateway = await startGateway({ config: withQueue({ mode: 'followup' }) });
    await using chat = await gateway.connect();
    const first = await busy(gateway, chat);
    const second = await chat.send('waits');
    const answer = await chat.call('chat.send', { sessionKey: 'main', message: '/stop', idempotencyKey: 'stop-1' });
    assert.equal(answer.aborted ?? true, true);
    assert.deepEqual([(await first.ended).state, (await second.ended).state], ['aborted', 'aborted']);
    assert.equal(gateway.models.requests.length, 1);
  });

  it('does not stop another session with a run that is not its own', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    const running = await busy(gateway, chat);
    await assert.rejects(chat.call('chat.abort', { sessionKey: 'other', runId: running.runId }), /another session/);
    assert.equal((await chat.call('chat.abort', { sessionKey: 'main', runId: 'nobody' })).aborted, false);
    await chat.call('chat.abort', { sessionKey: 'main' });
  });
});

describe('lanes', () => {
  it('run sessions side by side up to the limit, one session never', async () => {
    await using gateway = await startGateway({ config: { agents: { defaults: { maxConcurrent: 2 } } } });
    await using chat = await gateway.connect();
    gateway.models.reply({ hang: true, text: ['1'] }, { hang: true, text: ['2'] });
    const runs = [
      await chat.send('x', { session: 's1' }),
      await chat.send('x', { session: 's2' }),
      await chat.send('x', { session: 's3' }),
    ];
    await until(() => gateway.models.requests.length === 2, 'two requests');
    assert.equal(gateway.models.requests.length, 2, 'the third waits for a slot');
    await chat.call('chat.abort', { sessionKey: 's1' });
    assert.equal((await runs[2]!.ended).text, 'ok');
    await chat.call('chat.abort', { sessionKey: 's2' });
  });
});
