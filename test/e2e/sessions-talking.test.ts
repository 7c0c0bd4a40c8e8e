/** Exchanges between sessions with real turns: answers return to the requester, and reach no other chat. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../src/testing/until.ts';
import { openTime } from './time-harness.ts';

const say = (text: string) => ({ text: [text] });
const call = (name: string, args: object) => ({
  calls: [{ id: `c-${name}-${Math.random().toString(36).slice(2, 8)}`, name, args }],
});
const results = (harness: Awaited<ReturnType<typeof openTime>>): any[] =>
  harness.gateway.models.requests.flatMap(({ toolResults }) => toolResults.map(({ text }) => JSON.parse(text)));
const GROUP = 'agent:main:desk:group:room';
const config = { session: { agentToAgent: { maxPingPongTurns: 0 } } };

async function withGroup(table: string, over: object = {}) {
  const harness = await openTime(table, {
    config: { ...config, ...over },
    channel: { groups: { '*': { requireMention: false } } },
  });
  await harness.desk.write({ text: 'hello from the room', group: 'room' });
  await until(() => harness.said().length === 1, 'the group to be known');
  harness.desk.sent.length = 0;
  return harness;
}

describe('sessions_send', () => {
  it('(T188) waits for the answer, which is the target’s own, and announces in the target’s chat alone', async () => {
    await using harness = await withGroup('send');
    harness.model([
      [/announce/i, say('Ann asked; I said pizza.')],
      [/what do they say/i, say('They want pizza.')],
      [
        /ask the room/,
        () =>
          harness.gateway.models.requests.at(-1)!.toolResults.length > 0
            ? say('Pizza, they say.')
            : call('sessions_send', { sessionKey: GROUP, message: 'What do they say?' }),
      ],
      [/./, say('ok')],
    ]);
    assert.equal(await harness.chat.say('ask the room'), 'Pizza, they say.');
    const [sent] = results(harness);
    assert.deepEqual([sent.status, sent.reply, sent.sessionKey], ['ok', 'They want pizza.', GROUP]);
    await until(() => harness.said().length > 0, 'the announcement');
    assert.deepEqual(
      harness.desk.sent.map(({ to, text }) => [to.chat.id, text]),
      [['room', 'Ann asked; I said pizza.']],
    );
  });

  it('(T188) ANNOUNCE_SKIP and announce:false say nothing; 0 seconds do not wait', async () => {
    await using harness = await withGroup('skip');
    harness.model([
      [/announce/i, say('ANNOUNCE_SKIP')],
      [
        /fire/,
        () =>
          harness.gateway.models.requests.at(-1)!.toolResults.length > 0
            ? say('sent')
            : call('sessions_send', { sessionKey: GROUP, message: 'just so you know', timeoutSeconds: 0 }),
      ],
      [/./, say('noted')],
    ]);
    assert.equal(await harness.chat.say('fire'), 'sent');
    assert.equal(results(harness)[0].status, 'accepted');
    await until(() => harness.asked(/announce/i).length === 1, 'the announce step');
    await until(
      async () => (await harness.chat.history(GROUP)).some(({ text }) => text === 'noted'),
      'the answer in its own session',
    );
    assert.deepEqual(harness.said(), []);
  });

  it('(T188) goes back and forth until one says REPLY_SKIP', async () => {
    await using harness = await withGroup('pingpong', { session: { agentToAgent: { maxPingPongTurns: 5 } } });
    let replies = 0;
    harness.model([
      [/announce/i, say('ANNOUNCE_SKIP')],
      [/REPLY_SKIP/, () => (++replies < 3 ? say(`round ${replies}`) : say('REPLY_SKIP'))],
      [
        /start/,
        () =>
          harness.gateway.models.requests.at(-1)!.toolResults.length > 0
            ? say('started')
            : call('sessions_send', { sessionKey: GROUP, message: 'let us talk' }),
      ],
      [/./, say('sure')],
    ]);
    await harness.chat.say('start');
    await until(() => harness.asked(/announce/i).length === 1, 'the end of it');
    assert.equal(replies, 3);
    assert.deepEqual(harness.said(), []);
  });

  it('never waits for a place its target needs: one turn at a time is enough', async () => {
    await using harness = await withGroup('narrow', { agents: { defaults: { maxConcurrent: 1 } } });
    harness.model([
      [/announce/i, say('ANNOUNCE_SKIP')],
      [
        /ask/,
        () =>
          harness.gateway.models.requests.at(-1)!.toolResults.length > 0
            ? say('got it')
            : call('sessions_send', { sessionKey: GROUP, message: 'quick question' }),
      ],
      [/./, say('quick answer')],
    ]);
    assert.equal(await harness.chat.say('ask'), 'got it');
    assert.equal(results(harness)[0].status, 'ok');
  });

  it('(T193 T189) to itself, to both or to nobody is refused', async () => {
    await using harness = await openTime('refused', { config });
    harness.gateway.models.reply(
      call('sessions_send', { sessionKey: 'main', message: 'x' }),
      call('sessions_send', { sessionKey: 'main', label: 'y', message: 'x' }),
      call('sessions_send', { message: 'x' }),
      call('sessions_send', { sessionKey: 'agent:main:desk:dm:nobody', message: 'x' }),
      say('done'),
    );
    await harness.chat.say('go');
    const texts = harness.gateway.models.requests.at(-1)!.toolResults.map(({ text }) => text);
    assert.match(texts[0]!, /itself|own session/i);
    assert.match(texts[1]!, /Provide either sessionKey or label \(not both\)\./);
    assert.match(texts[2]!, /Either sessionKey or label is required/);
    assert.match(texts[3]!, /error|not found|no session/i);
  });
});

describe('another agent', () => {
  const agents = {
    list: [
      { id: 'main', default: true, subagents: { allowAgents: ['helper'] } },
      { id: 'helper', name: 'Helper' },
    ],
  };
  const THEIRS = 'agent:helper:main';
  const steps = [
    call('sessions_list', {}),
    call('sessions_history', { sessionKey: THEIRS }),
    call('sessions_send', { sessionKey: THEIRS, message: 'What is new?', announce: false }),
    call('session_status', { sessionKey: THEIRS }),
    call('agents_list', {}),
  ];
  async function asked(table: string, tools: object): Promise<string[]> {
    await using harness = await openTime(table, { config: { ...config, agents, tools } });
    await harness.chat.say('a secret', { session: THEIRS });
    harness.model([
      [/What is new/, say('Nothing.')],
      [/look/, () => steps[harness.gateway.models.requests.at(-1)!.toolResults.length] ?? say('done')],
    ]);
    await harness.chat.say('look');
    return harness.gateway.models.requests.at(-1)!.toolResults.map(({ text }) => text);
  }

  it('(T186) is out of reach, and not even seen, unless agents may talk to each other', async () => {
    const [list, history, sent, status, listed] = await asked('apart', {});
    assert.deepEqual(
      JSON.parse(list!).sessions.map(({ key }: any) => key),
      ['main'],
    );
    for (const text of [history!, sent!]) assert.equal(JSON.parse(text).status, 'forbidden', text);
    for (const text of [history!, sent!, status!]) assert.match(text, /tools\.agentToAgent/);
    assert.doesNotMatch([list, history, sent, status].join(''), /a secret/);
    assert.deepEqual(JSON.parse(listed!), {
      requester: 'main',
      allowAny: false,
      agents: [
        { id: 'main', configured: true },
        { id: 'helper', name: 'Helper', configured: true },
      ],
    });
  });

  it('(T186) is a session like any other when they may', async () => {
    const [list, history, sent, status] = await asked('together', {
      agentToAgent: { enabled: true, allow: ['main', 'help*'] },
    });
    assert.deepEqual(
      JSON.parse(list!)
        .sessions.map(({ key, kind }: any) => [key, kind])
        .sort(),
      [
        [THEIRS, 'main'],
        ['main', 'main'],
      ],
    );
    assert.match(history!, /a secret/);
    assert.deepEqual([JSON.parse(sent!).status, JSON.parse(sent!).reply], ['ok', 'Nothing.']);
    assert.match(status!, /agent:helper:main/);
  });
});

describe('sessions_spawn', () => {
  it('works beside the conversation and reports where it was asked', async () => {
    await using harness = await openTime('spawn', { config });
    harness.model([
      [/count the files/, say('There are 7 files.')],
      [/There are 7 files/, say('The helper counted 7 files.')],
      [
        /find out/,
        () =>
          harness.gateway.models.requests.at(-1)!.toolResults.length > 0
            ? say('I sent somebody.')
            : call('sessions_spawn', { task: 'count the files', label: 'counter' }),
      ],
    ]);
    await harness.desk.write({ text: 'find out' });
    await until(() => harness.said().length === 2, 'the report');
    assert.deepEqual(harness.said(), ['I sent somebody.', 'The helper counted 7 files.']);
    const [spawned] = results(harness);
    assert.equal(spawned.status, 'accepted');
    assert.match(spawned.childSessionKey, /^agent:main:subagent:/);
    const child = harness.gateway.models.requests.find(({ texts }) => /count the files/.test(texts.at(-1)!))!;
    assert.equal(
      child.tools.some(({ name }) => /^sessions_|^cron$|^gateway$/.test(name)),
      false,
    );
  });

  it('answers what it is asked later while every place for helpers is taken', async () => {
    await using harness = await openTime('asked-later', {
      config: { ...config, agents: { defaults: { subagents: { maxConcurrent: 1 } } } },
    });
    let child = '';
    harness.model([
      [/announce/i, say('ANNOUNCE_SKIP')],
      [/how many were they/, say('Seven.')],
      [/forever/, { hang: true, text: ['on it'] }],
      [
        /ask it/,
        () =>
          harness.gateway.models.requests.at(-1)!.toolResults.length > 2
            ? say('told')
            : call('sessions_send', { sessionKey: child, message: 'how many were they' }),
      ],
      [
        /and another/,
        () =>
          harness.gateway.models.requests.at(-1)!.toolResults.length > 1
            ? say('two')
            : call('sessions_spawn', { task: 'work forever' }),
      ],
      [/count the files/, say('done')],
      [
        /one helper/,
        () =>
          harness.gateway.models.requests.at(-1)!.toolResults.length > 0
            ? say('one')
            : call('sessions_spawn', { task: 'count the files' }),
      ],
      [/./, say('NO_REPLY')],
    ]);
    await harness.chat.say('one helper');
    child = results(harness)[0].childSessionKey;
    await until(
      async () => (await harness.chat.history(child)).some(({ text }) => text === 'done'),
      'the first helper',
    );
    await harness.chat.say('and another');
    await until(() => harness.asked(/forever/).length === 1, 'the second helper');
    await harness.chat.say('ask it');
    assert.deepEqual([results(harness).at(-1).status, results(harness).at(-1).reply], ['ok', 'Seven.']);
  });

  it('/stop ends the helpers too', async () => {
    await using harness = await openTime('stopall', { config });
    harness.model([
      [/forever/, { hang: true, text: ['on it'] }],
      [
        /go/,
        () =>
          harness.gateway.models.requests.at(-1)!.toolResults.length > 0
            ? say('started')
            : call('sessions_spawn', { task: 'work forever' }),
      ],
      [/./, say('so be it')],
    ]);
    await harness.desk.write({ text: 'go' });
    await until(() => harness.asked(/forever/).length === 1 && harness.said().includes('started'), 'the helper');
    await harness.desk.write({ text: '/stop' });
    await until(() => harness.said().some((text) => /1 sub-agent ended/.test(text)), 'the word');
    await until(async () => (await harness.chat.call('status')).activeTurns === 0, 'the helper to stop');
    await harness.chat.say('go', { session: 'other' });
    await until(() => harness.asked(/forever/).length === 2, 'another helper');
    assert.equal((await harness.chat.call('chat.abort', { sessionKey: 'other' })).aborted, true);
    await until(async () => (await harness.chat.call('status')).activeTurns === 0, 'it to stop by the button too');
  });
});

describe('looking at other sessions', () => {
  it('(T187 T195 T190) lists kinds and messages without tools, and history by key or id', async () => {
    await using harness = await withGroup('look');
    const job = await harness.job({
      name: 'J',
      schedule: { kind: 'every', everyMs: 3_600_000 },
      payload: { kind: 'agentTurn', message: 'x' },
    });
    await harness.chat.call('cron.run', { id: job.id, mode: 'force' });
    await harness.finished(job.id);
    harness.gateway.models.reply(
      call('sessions_list', { messageLimit: 2 }),
      call('sessions_history', { sessionKey: GROUP }),
      say('seen'),
    );
    await harness.chat.say('look');
    const [list, history] = harness.gateway.models.requests.at(-1)!.toolResults.map(({ text }) => JSON.parse(text));
    const kinds = Object.fromEntries(list.sessions.map(({ key, kind }: any) => [key, kind]));
    assert.equal(kinds['main'] ?? kinds['agent:main:main'], 'main');
    assert.equal(kinds[`agent:main:cron:${job.id}`], 'cron');
    assert.equal(kinds[GROUP], 'group');
    assert.ok(history.messages.some((message: any) => JSON.stringify(message).includes('hello from the room')));
    const { sessionId } = (await harness.chat.call('sessions.list', {})).sessions.find(({ key }: any) => key === GROUP);
    harness.gateway.models.reply(call('sessions_history', { sessionKey: sessionId }), say('seen'));
    await harness.chat.say('again');
    assert.ok(JSON.parse(harness.gateway.models.requests.at(-1)!.toolResults.at(-1)!.text).messages.length > 0);
  });
});
