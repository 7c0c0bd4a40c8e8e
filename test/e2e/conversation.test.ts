/** A conversation through the whole product: answer, tools, history, commands, timeline. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway } from '../../src/testing/running-gateway.ts';

describe('a conversation', () => {
  it('goes to the model with prompt and history and comes back as one final event', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['Hello ', 'there.'] }, { text: ['Still here.'] });
    assert.equal(await chat.say('hi'), 'Hello there.');
    assert.equal(await chat.say('and now?'), 'Still here.');
    const [, second] = gateway.models.requests;
    assert.deepEqual(
      second!.texts.filter((text) => ['hi', 'Hello there.', 'and now?'].includes(text)),
      ['hi', 'Hello there.', 'and now?'],
    );
    assert.match(second!.system, /AGENTS\.md/);
    assert.deepEqual(
      (await chat.history()).map(({ role, text }) => `${role}: ${text}`),
      ['user: hi', 'assistant: Hello there.', 'user: and now?', 'assistant: Still here.'],
    );
    assert.equal(
      chat.events.filter((frame: any) => frame.event === 'chat' && frame.payload.state === 'final').length,
      2,
    );
  });

  it('runs tools in the workspace, shows them as events and gives the results back in order', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply(
      {
        calls: [
          { id: 'a', name: 'write', args: { path: 'a.txt', content: 'alpha' } },
          { id: 'b', name: 'read', args: { path: 'nowhere.txt' } },
        ],
      },
      { text: ['Done.'] },
    );
    assert.equal(await chat.say('make a file'), 'Done.');
    assert.deepEqual(
      gateway.models.requests[1]!.toolResults.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.match(gateway.models.requests[1]!.toolResults[1]!.text, /nowhere\.txt/);
    const workspace = join(gateway.stateDir, '..', 'clawd');
    assert.equal(readFileSync(join(workspace, 'a.txt'), 'utf8'), 'alpha');
    assert.ok(existsSync(join(workspace, 'SOUL.md')), 'the workspace files are made on first run');
    const tools = chat.events.filter((frame: any) => frame.event === 'agent' && frame.payload.stream === 'tool');
    assert.ok(tools.length >= 4, `start and end of two calls, saw ${tools.length}`);
  });

  it('never shows the model a tool it may not use', async () => {
    await using gateway = await startGateway({
      config: {
        tools: {
          deny: [
            'group:fs',
            'group:runtime',
            'group:automation',
            'group:ui',
            'group:nodes',
            'image',
            'message',
            'agents_list',
            'sessions_*',
          ],
        },
        agents: { list: [{ id: 'main' }, { id: 'work', tools: { profile: 'messaging' } }] },
      },
    });
    await using chat = await gateway.connect();
    gateway.models.reply(
      { calls: [{ id: 'a', name: 'write', args: { path: 'a.txt', content: 'x' } }] },
      { text: ['I cannot.'] },
    );
    assert.equal(await chat.say('write a file'), 'I cannot.');
    await chat.say('hi', { session: 'agent:work:main' });
    for (const { tools, system } of gateway.models.requests) {
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['session_status'],
      );
      assert.doesNotMatch(system, /^- (read|write|edit):/m);
    }
    assert.match(gateway.models.requests[1]!.toolResults[0]!.text, /write/);
    assert.ok(!existsSync(join(gateway.stateDir, '..', 'clawd', 'a.txt')), 'and asking for it anyway does nothing');
  });

  it('shows nothing of an answer that is the silent token, and all of one that mentions it', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply(
      { text: ['NO', '_REP', 'LY'] },
      { text: ['NO', ', never.'] },
      { text: ['The token NO_REPLY is silent.'] },
      { text: ['NO_REPLY'] },
    );
    const { payload } = await (await chat.send('quiet')).ended;
    assert.deepEqual([payload.state, payload.message], ['final', undefined]);
    assert.equal(await chat.say('shall I?'), 'NO, never.');
    assert.equal(await chat.say('what is it?'), 'The token NO_REPLY is silent.');
    const answer = await chat.client.call<any>('agent', {
      message: 'quiet again',
      sessionKey: 'main',
      idempotencyKey: 'quiet',
    });
    assert.deepEqual([answer.status, answer.result.payloads], ['ok', []]);
    assert.ok(
      !chat.events.some((frame: any) =>
        ['NO', 'NO_REP', 'NO_REPLY'].includes(frame.payload.message?.content?.[0]?.text ?? frame.payload.data?.text),
      ),
      'not even the beginning of it is streamed',
    );
    assert.deepEqual(
      (await chat.history()).map(({ text }) => text),
      ['quiet', 'shall I?', 'NO, never.', 'what is it?', 'The token NO_REPLY is silent.', 'quiet again'],
    );
  });

  it('answers one message once, however often it is sent', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['once'] });
    assert.equal(await chat.say('hi', { runId: 'same' }), 'once');
    assert.equal(
      (await chat.call('chat.send', { sessionKey: 'main', message: 'hi', idempotencyKey: 'same' })).status,
      'ok',
    );
    assert.equal(gateway.models.requests.length, 1);
  });

  it('tells the timeline of a message', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply({ calls: [{ id: 'a', name: 'session_status', args: {} }] }, { text: ['ok'] });
    await chat.say('status?', { runId: 'told' });
    const { entries } = await chat.call('chat.timeline', { runId: 'told' });
    const stages = entries.map((entry: any) => entry.stage);
    for (const harness of ['accepted', 'routed', 'started', 'model', 'tool', 'answered'])
      assert.ok(stages.includes(harness), `${harness} is missing in ${stages.join(', ')}`);
    assert.ok(entries.every((entry: any, index: number) => index === 0 || entry.at >= entries[index - 1].at));
  });

  it('keeps sessions and agents apart', async () => {
    await using gateway = await startGateway({
      config: {
        agents: {
          list: [
            { id: 'main', default: true },
            { id: 'work', name: 'Work' },
          ],
        },
      },
    });
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['one'] }, { text: ['two'] });
    await chat.say('for main', { session: 'main' });
    await chat.say('for work', { session: 'agent:work:main' });
    assert.deepEqual(gateway.models.requests[1]!.texts.includes('for main'), false);
    assert.deepEqual(
      (await chat.history('agent:work:main')).map(({ text }) => text),
      ['for work', 'two'],
    );
    const { sessions } = await chat.call('sessions.list', {});
    assert.deepEqual(sessions.map((row: any) => row.key).sort(), ['agent:main:main', 'agent:work:main']);
    assert.ok(existsSync(join(gateway.stateDir, 'agents', 'work', 'sessions')));
  });
});

describe('commands', () => {
  it('are answered without the model and stay out of its sight', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['hello'] });
    assert.match(await chat.say('/status'), /Model: fake\/model/);
    assert.match(await chat.say('/help'), /\/compact/);
    assert.equal(gateway.models.requests.length, 0);
    await chat.say('hi');
    assert.ok(
      !gateway.models.requests[0]!.texts.some((text) => text.includes('/status') || text.includes('Model: fake')),
    );
    assert.ok(
      (await chat.history()).some(({ text }) => text.startsWith('⚙️ Clawdbot')),
      'but the person sees them in the history',
    );
  });

  it('/new starts over with what follows it', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['a'] }, { text: ['b'] }, { text: ['greetings'] });
    await chat.say('remember 42');
    const before = (await chat.call('chat.history', { sessionKey: 'main' })).sessionId;
    assert.equal(await chat.say('/new What Did I Say?'), 'b');
    assert.ok(!gateway.models.requests[1]!.texts.includes('remember 42'));
    assert.ok(gateway.models.requests[1]!.texts.includes('What Did I Say?'));
    assert.notEqual((await chat.call('chat.history', { sessionKey: 'main' })).sessionId, before);
    assert.equal(await chat.say('/new'), 'greetings');
  });

  it('/compact replaces the conversation by a summary the model writes', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    const long = 'many words '.repeat(2000);
    gateway.models.reply(
      { text: [long] },
      { text: [long] },
      { text: ['They talked about many words.'] },
      { text: ['after'] },
    );
    await chat.say('first');
    await chat.say('second');
    assert.match(await chat.say('/compact keep the numbers'), /Compacted: about \d+ tokens became \d+/);
    await chat.say('third');
    const last = gateway.models.requests.at(-1)!;
    assert.ok(last.texts.some((text) => text.includes('They talked about many words.')));
    assert.ok(!last.texts.includes('first'));
    assert.ok(
      (await chat.history()).some(({ text }) => text === 'first'),
      'the person still sees all of it',
    );
  });

  it('compacts by itself before the window overflows, and when the vendor says it did', async () => {
    const models = {
      providers: {
        fake: { baseUrl: '', apiKey: 'k', api: 'openai-completions', models: [{ id: 'model', contextWindow: 30_000 }] },
      },
    };
    await using gateway = await startGateway();
    models.providers.fake.baseUrl = `${gateway.models.url}/v1`;
    await gateway.restart({ while: () => gateway.writeConfig({ models }) });
    await using chat = await gateway.connect();
    gateway.models.reply(
      { text: ['x '.repeat(30_000)], usage: { input: 10_000, output: 15_000 } },
      { text: ['y '.repeat(3000)], usage: { input: 26_000, output: 1000 } },
      { text: ['A summary.'] },
      { text: ['fine'] },
    );
    await chat.say('one');
    await chat.say('two');
    assert.equal(await chat.say('three'), 'fine');
    assert.ok(gateway.models.requests.at(-1)!.texts.some((text) => text.includes('A summary.')));
    gateway.models.reply(
      { text: ['z '.repeat(8000)] },
      { error: 'overflow' },
      { text: ['Another summary.'] },
      { text: ['fits now'] },
    );
    await chat.say('four');
    assert.equal(await chat.say('five'), 'fits now');
  });
});
