/** Channel messages in a whole gateway: who gets which answers, in order, once. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway, type GatewayOptions, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { desks, type DeskChat } from '../fixtures/desk-channel/index.ts';

const PLUGIN = join(import.meta.dirname, '..', 'fixtures', 'desk-channel');

interface Harness extends AsyncDisposable {
  readonly gateway: RunningGateway;
  readonly desk: DeskChat /** What the bot has said so far. */;
  texts(): string[];
  said(count: number): Promise<string[]>;
}

async function openChat(
  table: string,
  {
    channel = {},
    config = {},
    ...options
  }: { channel?: object; config?: object } & Omit<GatewayOptions, 'config'> = {},
): Promise<Harness> {
  const gateway = await startGateway({
    ...options,
    config: {
      plugins: { load: { paths: [PLUGIN] } },
      channels: { desk: { table, allowFrom: ['ann'], groups: { '*': {} }, ...channel } },
      ...config,
    },
  });
  await until(() => desks.get(table), 'the desk');
  const texts = (): string[] => desks.get(table)!.sent.map(({ text }) => text);
  return {
    gateway,
    get desk() {
      return desks.get(table)!;
    },
    texts,
    said: async (count) => (await until(() => texts().length >= count, `${count} messages`), texts()),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

/** What the model was given last, as one text. */
const requested = ({ models }: RunningGateway): string =>
  JSON.stringify((models.requests.at(-1)!.body as { messages: unknown }).messages);

describe('a message of a channel', () => {
  it('is answered where it came from, and the model is told who wrote it and when', async () => {
    await using harness = await openChat('where');
    await harness.desk.write({ text: 'hello' });
    await harness.said(1);
    assert.deepEqual(harness.desk.sent[0]!.to.chat, { kind: 'direct', id: 'ann' });
    assert.match(requested(harness.gateway), /\[Desk Ann id:ann \d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\]]+\] hello/);
    await using chat = await harness.gateway.connect();
    const { messages } = await chat.call('chat.history', { sessionKey: 'main', limit: 10 });
    assert.equal(messages[0].content[0].text, 'hello');
  });

  it('of a group gives its session the title of the group, wherever sessions are listed', async () => {
    await using harness = await openChat('titled');
    await using chat = await harness.gateway.connect();
    const thought = Promise.withResolvers<void>();
    harness.gateway.models.reply({ text: ['hello'], pause: thought.promise });
    await harness.desk.write({
      text: '<media:sticker> (wave)',
      group: 'family',
      addressesBot: true,
      place: { chat: 'Family & Friends' },
    });
    await until(() => harness.gateway.models.requests.length === 1);
    const [early] = (await chat.call('sessions.list', {})).sessions;
    assert.equal(early.subject, 'Family & Friends', 'while the first turn is under way, too');
    thought.resolve();
    await harness.said(1);
    const { sessions } = await chat.call('sessions.list', {});
    const { subject, displayName, origin, chatType, derivedTitle } = sessions.find(
      ({ key }: { key: string }) => key === 'agent:main:desk:group:family',
    );
    assert.deepEqual(
      [subject, displayName, chatType, derivedTitle],
      ['Family & Friends', 'desk:g-family-friends', 'group', 'sticker (wave)'],
    );
    assert.deepEqual(
      [origin.provider, origin.from, origin.to, origin.label],
      ['desk', 'ann', 'family', 'Family & Friends'],
    );
    assert.equal((await chat.call('sessions.list', { search: 'friends' })).sessions.length, 1);
  });

  it('of an account no binding can mean is looked for in vain: the review names the account', async () => {
    await using harness = await openChat('accounts', {
      config: { bindings: [{ agentId: 'main', match: { channel: 'desk', accountId: 'office' } }] },
    });
    await using chat = await harness.gateway.connect();
    const { issues } = await chat.call('route.review', {});
    assert.match(JSON.stringify(issues), /Desk has no account \\"office\\"/);
  });

  it('delivered twice is answered once', async () => {
    await using harness = await openChat('twice');
    const first = await harness.desk.write({ id: 'x', text: 'hello' });
    const second = await harness.desk.write({ id: 'x', text: 'hello' });
    assert.deepEqual([first.status, second.status], ['accepted', 'duplicate']);
    await harness.desk.write({ text: 'again' });
    assert.equal((await harness.said(2)).length, 2);
  });

  it('of a stranger is answered once with a code, and of the approved with an answer', async () => {
    await using harness = await openChat('pairing', { channel: { allowFrom: [] } });
    for (const text of ['hello', 'anybody?']) await harness.desk.write({ text });
    const [code] = await harness.said(1);
    assert.match(code!, /Your desk id: ann/);
    const [, secret] = /clawdbot pairing approve desk ([A-Z2-9]{8})/.exec(code!)!;
    await using chat = await harness.gateway.connect();
    assert.equal((await chat.call('channel.pairing.list', {})).pending.length, 1);
    await chat.call('channel.pairing.approve', { channel: 'desk', code: secret });
    await harness.said(2);
    await harness.desk.write({ text: 'now?' });
    assert.equal((await harness.said(3)).length, 3);
    await harness.desk.write({ text: 'in the group', group: 'family', addressesBot: true });
    await harness.desk.write({ text: 'last' });
    assert.equal((await harness.said(4)).length, 4, 'G230 a pairing opens no group');
  });
});

describe('one conversation over several places', () => {
  it('G64 G65 answers each where it was asked, also what came while another was answered', async () => {
    await using harness = await openChat('shared', { channel: { allowFrom: ['ann', 'bob'] } });
    await using chat = await harness.gateway.connect();
    const pause = Promise.withResolvers<void>();
    harness.gateway.models.reply(
      { text: ['for ', 'Ann'], pause: pause.promise },
      { text: ['for Bob'] },
      { text: ['for the page'] },
    );
    await harness.desk.write({ text: 'Ann asks' });
    await until(() => harness.gateway.models.requests.length === 1);
    await harness.desk.write({ text: 'Bob asks', chat: 'bob', sender: { id: 'bob', name: 'Bob' } });
    const { ended } = await chat.send('the page asks');
    pause.resolve();
    assert.equal((await ended).text, 'for the page');
    assert.deepEqual(
      harness.desk.sent.map(({ to, text }) => [to.chat.id, text]),
      [
        ['ann', 'for Ann'],
        ['bob', 'for Bob'],
      ],
    );
    assert.equal(new Set(harness.desk.sent.map(({ message }) => message.sessionKey)).size, 1, 'it is one conversation');
  });
});

it('what the page writes into the session of a chat is answered on the page, and the session stays that of the chat', async () => {
  await using harness = await openChat('page');
  await harness.desk.write({ text: 'hello', group: 'family', addressesBot: true });
  await harness.said(1);
  await using chat = await harness.gateway.connect();
  harness.gateway.models.reply({ text: ['for the page'] });
  assert.equal(await chat.say('and from here?', { session: 'agent:main:desk:group:family' }), 'for the page');
  const rows = (await chat.call('sessions.list')).sessions as { key: string; lastChannel?: string; lastTo?: string }[];
  assert.deepEqual(
    rows.map(({ key, lastChannel, lastTo }) => [key, lastChannel, lastTo]),
    [['agent:main:desk:group:family', 'desk', 'family']],
  );
  await harness.desk.write({ text: 'still here?', group: 'family', addressesBot: true });
  await harness.said(2);
  assert.match(requested(harness.gateway), /and from here\?[\s\S]*still here\?/);
});

it('each account of a channel answers for itself, and a binding tells them apart', async () => {
  await using _gateway = await startGateway({
    config: {
      plugins: { load: { paths: [PLUGIN] } },
      agents: { list: [{ id: 'main' }, { id: 'office' }] },
      bindings: [{ agentId: 'office', match: { channel: 'desk', accountId: 'work' } }],
      channels: {
        desk: {
          allowFrom: ['ann'],
          accounts: {
            home: { table: 'at-home' },
            Work: { table: 'at-work', allowFrom: ['ann', 'bob'] },
            off: { table: 'at-rest', enabled: false },
          },
        },
      },
    },
  });
  const [home, work] = await until(
    () => (desks.get('at-home') && desks.get('at-work') ? [desks.get('at-home')!, desks.get('at-work')!] : undefined),
    'both desks',
  );
  await work!.write({ text: 'for work' });
  await until(() => work!.sent.length === 1);
  await home!.write({ text: 'for home' });
  await until(() => home!.sent.length === 1);
  assert.deepEqual(
    [home!.sent[0]!.message.sessionKey, work!.sent[0]!.message.sessionKey],
    ['agent:main:main', 'agent:office:main'],
  );
  assert.deepEqual(
    [home!.sent[0]!.to.accountId, work!.sent[0]!.to.accountId, desks.has('at-rest')],
    ['home', 'work', false],
  );
});

describe('a group', () => {
  it('is told what was said meanwhile, once', async () => {
    await using harness = await openChat('meanwhile');
    for (const text of ['one', 'two'])
      await harness.desk.write({ text, group: 'family', sender: { id: 'ann', name: 'Ann' } });
    await harness.desk.write({ text: 'and now?', group: 'family', addressesBot: true });
    await harness.said(1);
    assert.match(
      requested(harness.gateway),
      /since your last reply - for context\]\\nAnn \(ann\): one\\nAnn \(ann\): two\\n\\n\[Current message/,
    );
    assert.match(requested(harness.gateway), /You are in a group chat on Desk/);
    await harness.desk.write({ text: 'once more', group: 'family', addressesBot: true });
    await harness.said(2);
    assert.equal(
      requested(harness.gateway).split('since your last reply').length,
      2,
      'it stands in the conversation from before, not again',
    );
  });

  it('G35 lets several agents answer one message, each in its own conversation', async () => {
    await using harness = await openChat('together', {
      config: {
        agents: { list: [{ id: 'main' }, { id: 'alfred' }, { id: 'berta' }] },
        broadcast: { strategy: 'sequential', family: ['alfred', 'berta'] },
      },
    });
    await harness.desk.write({ text: 'not for you', group: 'family' });
    await harness.desk.write({ text: 'who is there?', group: 'family', addressesBot: true });
    await harness.said(2);
    for (const { body } of harness.gateway.models.requests)
      assert.match(JSON.stringify(body), /not for you[\s\S]*who is there\?/);
    assert.deepEqual(
      harness.desk.sent.map(({ message }) => message.sessionKey),
      ['agent:alfred:desk:group:family', 'agent:berta:desk:group:family'],
    );
  });
});

it('G211 a place has instructions of its own, a topic of it others, and no place those of another', async () => {
  await using harness = await openChat('places', {
    channel: {
      groups: {
        family: { systemPrompt: 'Speak plainly.', topics: { 7: { systemPrompt: 'Speak in rhyme.' } } },
        work: {},
      },
    },
  });
  const group = (id: string, threadId?: string) =>
    ({
      channel: 'desk',
      accountId: 'default',
      chat: { kind: 'group', id },
      ...(threadId === undefined ? {} : { threadId }),
    }) as const;
  for (const [nth, address] of [group('family'), group('family', '7'), group('family', '8'), group('work')].entries()) {
    await harness.desk.write({ text: 'hello', address, addressesBot: true });
    await harness.said(nth + 1);
  }
  assert.deepEqual(
    harness.gateway.models.requests.map(({ system }) => /Speak [a-z ]+\./.exec(system)?.[0]),
    ['Speak plainly.', 'Speak in rhyme.', 'Speak plainly.', undefined],
  );
});

describe('several agents of which one fails', () => {
  for (const strategy of ['parallel', 'sequential'] as const) {
    it(`G33 keeps none of the others from answering (${strategy}), and what was said before is told once`, async () => {
      await using harness = await openChat(`fails-${strategy}`, {
        config: {
          agents: { list: [{ id: 'main' }, { id: 'alfred' }, { id: 'berta' }, { id: 'carl' }] },
          broadcast: { strategy, family: ['alfred', 'berta', 'carl'] },
        },
      });
      harness.gateway.models.reply({ error: 'auth' }, { text: ['here'] }, { text: ['here'] });
      await harness.desk.write({ text: 'before', group: 'family' });
      await harness.desk.write({ text: 'who is there?', group: 'family', addressesBot: true });
      const texts = await harness.said(3);
      assert.deepEqual(
        texts.filter((text) => text.endsWith('here')).toSorted(),
        strategy === 'sequential'
          ? ['[berta] here', '[carl] here']
          : texts.filter((text) => /^\[(?:alfred|berta|carl)\] here$/.test(text)).toSorted(),
      );
      assert.equal(texts.filter((text) => text.endsWith('here')).length, 2);
      await harness.desk.write({ text: 'and now?', group: 'family', addressesBot: true });
      await harness.said(6);
      for (const { texts: turn } of harness.gateway.models.requests.slice(3))
        assert.equal(turn.join('\n').split('since your last reply').length, 2);
    });
  }

  it('G33 each says who speaks; a command is answered once, and holds for each', async () => {
    await using harness = await openChat('signed', {
      channel: { allowFrom: ['ann'] },
      config: {
        agents: { list: [{ id: 'main' }, { id: 'alfred', identity: { name: 'Alfred' } }, { id: 'berta' }] },
        broadcast: { strategy: 'sequential', family: ['alfred', 'berta'] },
        messages: { responsePrefix: '»' },
        commands: { ownerAllowFrom: ['desk:ann'] },
      },
    });
    const write = (text: string) => harness.desk.write({ text, group: 'family', addressesBot: true });
    harness.gateway.models.reply({ text: ['here'] }, { text: ['me too'] });
    await write('who is there?');
    assert.deepEqual(await harness.said(2), ['[Alfred] » here', '[berta] » me too']);
    await write('/think high');
    await write('/cost');
    await write('/nothing at all');
    const texts = await harness.said(6);
    assert.match(texts[2]!, /high/);
    assert.deepEqual(
      texts.slice(4).map((text) => text.slice(0, 8)),
      ['[Alfred]', '[berta] '],
      'what is no command goes to both',
    );
    await using chat = await harness.gateway.connect();
    const { sessions } = await chat.call('sessions.list');
    assert.deepEqual(
      sessions
        .filter(({ key }: any) => key.endsWith('desk:group:family'))
        .map(({ thinkingLevel }: any) => thinkingLevel),
      ['high', 'high'],
    );
  });

  it('a change of the message is told to each, and answered by none', async () => {
    await using harness = await openChat('changed-together', {
      config: {
        agents: { list: [{ id: 'main' }, { id: 'alfred' }, { id: 'berta' }] },
        broadcast: { family: ['alfred', 'berta'] },
      },
    });
    await harness.desk.write({ id: 'q', text: 'teh question', group: 'family', addressesBot: true });
    await harness.said(2);
    await harness.desk.write({ id: 'q', editVersion: 1, text: 'the question', group: 'family', addressesBot: true });
    await harness.desk.write({ text: 'well?', group: 'family', addressesBot: true });
    await harness.said(4);
    assert.equal(harness.gateway.models.requests.length, 4);
    for (const { texts: turn } of harness.gateway.models.requests.slice(2))
      assert.match(turn.join('\n'), /Changed message q: the question[\s\S]*well\?/);
  });
});

describe('what nobody answers', () => {
  it('a reaction and a change are told with the next turn', async () => {
    await using harness = await openChat('quiet');
    await harness.desk.write({ id: 'q', text: 'teh question' });
    await harness.said(1);
    await harness.desk.write({ id: 'r', text: 'Ann reacted with 👍 to message s1', quiet: true });
    await harness.desk.write({ id: 'q', editVersion: 1, text: 'the question' });
    await harness.desk.write({ text: 'well?' });
    await harness.said(2);
    assert.match(requested(harness.gateway), /Ann reacted with 👍[\s\S]*Changed message q: the question[\s\S]*well\?/);
    assert.equal(harness.gateway.models.requests.length, 2);
  });
});

it('what one person writes in several messages is answered once', async () => {
  await using harness = await openChat('gather', { config: { messages: { inbound: { byChannel: { desk: 150 } } } } });
  await Promise.all(['so', 'what', 'is it?'].map((text) => harness.desk.write({ text })));
  await harness.said(1);
  assert.match(requested(harness.gateway), /\] so\\nwhat\\nis it\?/);
  assert.equal(harness.gateway.models.requests.length, 1);
});

it('a file is fetched from its channel when it is needed, also after a restart', async () => {
  await using harness = await openChat('files');
  harness.desk.files.set('f1', Buffer.from('a,b\n1,2\n'));
  await harness.desk.write({
    text: 'sum this',
    attachments: [{ kind: 'document', mime: 'text/csv', name: 'sums.csv', ref: 'f1' }],
  });
  await harness.said(1);
  assert.match(requested(harness.gateway), /<file name=\\"sums\.csv\\"[\s\S]*a,b/);
});
