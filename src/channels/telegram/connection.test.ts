/** Receiving: polls, webhooks, albums, and other programs that use the same bot. */
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { connect as dial, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { present } from '../../sdk/index.ts';
import { testAccount, type TestAccount } from '../../testing/channel-account.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { until } from '../../testing/until.ts';
import { connect } from './connect.ts';
import { type FakeTelegram } from './fake-telegram.ts';
import { startFakeTelegram, TOKEN } from './fake.ts';
import telegram from './index.ts';

const DIRECT = { kind: 'direct', id: '501' } as const;
const GROUP = { kind: 'group', id: '-1001' } as const;

interface Harness extends AsyncDisposable {
  readonly platform: FakeTelegram;
  readonly fixture: TestAccount;
}

async function harness({
  config = {},
  commands = [],
  before,
}: {
  config?: object;
  commands?: any[];
  before?: (platform: FakeTelegram) => void;
} = {}): Promise<Harness> {
  const platform = await startFakeTelegram();
  before?.(platform);
  const fixture = await testAccount(telegram, {
    config: { ...platform.config, ...config },
    credentials: { ...platform.credentials, webhookSecret: 'hook-secret' },
    commands,
  });
  return {
    platform,
    fixture,
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}

const texts = ({ received }: TestAccount): string[] => received.map(({ text }) => text);

test(
  'a second program with the token is named as the problem, also while every other poll succeeds, and is no ' +
    'problem any more once it is gone',
  async () => {
    await using context = await harness();
    const { platform, fixture } = context;
    const clock = createFakeClock();
    await using _ = await connect(fixture.account, { clock });
    const named = (): boolean =>
      fixture.facts.problems?.some(
        ({ message, fix }) => /Another program polls/.test(message) && /Stop the other program/.test(fix ?? ''),
      ) ?? false;
    for (const turn of [1, 2, 3]) {
      await until(() => platform.consumers === 1);
      platform.rival(0);
      await until(() => fixture.facts.connected === false);
      await until(async () => (await clock.advance(1000), platform.consumers === 1));
      await platform.write({ chat: DIRECT, by: '501', text: `turn ${turn}` });
      await until(() => texts(fixture).includes(`turn ${turn}`));
      assert.equal(named(), turn > 1);
    }
    await clock.advance(61_000);
    await platform.write({ chat: DIRECT, by: '501', text: 'alone again' });
    await until(() => texts(fixture).includes('alone again') && !named(), 'the recovery');
  },
);

test('a webhook somebody left is removed, at the start and later', async () => {
  await using context = await harness();
  const { platform, fixture } = context;
  const clock = createFakeClock();
  await using _ = await connect(fixture.account, { clock });
  await until(() => platform.consumers === 1);
  await fetch(`${platform.apiRoot}/bot${TOKEN}/setWebhook`, {
    method: 'POST',
    body: JSON.stringify({ url: 'http://127.0.0.1:9/' }),
  });
  platform.cut();
  await until(async () => (await clock.advance(200), platform.webhook === undefined));
  const problems = (): string => fixture.facts.problems?.map(({ message }) => message).join() ?? '';
  await until(() => problems().includes('webhook'), 'the webhook to be told of');
  await platform.write({ chat: DIRECT, by: '501', text: 'polled again' });
  await until(async () => (await clock.advance(200), texts(fixture).includes('polled again')));
});

test('the pieces of an album are one message, with everybody else in order around it', async () => {
  await using context = await harness();
  const { platform, fixture } = context;
  const clock = createFakeClock();
  const piece = (name: string, caption?: string): number =>
    platform.push({
      message: platform.message(
        {
          chat: DIRECT,
          by: '501',
          ...present({ text: caption || undefined }),
          file: { name, mime: 'image/png', data: Buffer.from(name) },
        },
        { media_group_id: 'g1' },
      ),
    });
  piece('1.png', 'our trip');
  piece('2.png');
  await platform.write({ chat: GROUP, by: '502', text: 'elsewhere' });
  await using _ = await connect(fixture.account, { clock });
  await until(() => texts(fixture).includes('elsewhere'));
  piece('3.png');
  await platform.write({ chat: DIRECT, by: '501', text: 'what do you say' });
  await platform.write({ chat: GROUP, by: '502', text: 'elsewhere again' });
  await clock.advance(200); // it looks again, and the album is not yet taken for whole
  await until(() => texts(fixture).includes('elsewhere again'));
  await clock.advance(1000);
  await until(() => texts(fixture).includes('what do you say'));
  assert.deepEqual(
    fixture.received.map(({ text, attachments, album }) => [text, attachments.length, album ?? false]),
    [
      ['elsewhere', 0, false],
      ['elsewhere again', 0, false],
      ['our trip', 3, true],
      ['what do you say', 0, false],
    ],
  );
});

test('an album is not acknowledged before it is taken', async () => {
  await using context = await harness();
  const { platform, fixture } = context;
  const taken = Promise.withResolvers<void>();
  const offered: string[] = [];
  fixture.before = ({ id }) => (offered.push(id), taken.promise);
  await fixture.connect();
  const made = platform.message(
    { chat: DIRECT, by: '501', file: { name: '1.png', mime: 'image/png', data: Buffer.from('1') } },
    { media_group_id: 'g1' },
  );
  platform.push({ message: made });
  await platform.write({ chat: GROUP, by: '502', text: 'behind it' });
  await until(() => offered.length === 2);
  assert.deepEqual(platform.acknowledged, []);
  taken.resolve();
  await until(() => platform.acknowledged.includes(String(made.message_id)));
});

test('what makes no sense is passed over, and what comes behind it arrives', async () => {
  await using context = await harness();
  const { platform, fixture } = context;
  await fixture.connect();
  for (const body of [
    { message: null },
    { message: 'text' },
    { message: { chat: null } },
    { brand_new: {} },
    { message: { message_id: {}, chat: { id: 'x' } } },
    { update_id: 'seven', message: {} },
  ])
    platform.push(body);
  await platform.write({ chat: DIRECT, by: '501', text: 'sense' });
  await until(() => texts(fixture).includes('sense'));
  assert.deepEqual(texts(fixture), ['sense']);
});

test('failed polls are retried, and the problem is reported and cleared', async () => {
  for (const answer of [
    { error_code: 502, description: 'Bad Gateway' },
    { error_code: 429, description: 'Too Many Requests: retry after 0', parameters: { retry_after: 0.01 } },
    '<html>no gateway</html>',
    '{"ok":true,"result":"no list"}',
    '{"ok":false}',
    '{"ok":true,"result":[null,7,"x"]}',
  ]) {
    await using context = await harness({ before: (platform) => platform.refuse('getUpdates', answer, 2) });
    await context.fixture.connect();
    await context.platform.write({ chat: DIRECT, by: '501', text: 'through' });
    await until(() => texts(context.fixture).includes('through'), `a message after ${JSON.stringify(answer)}`);
    await until(() => context.fixture.facts.connected && (context.fixture.facts.problems ?? []).length === 0);
  }
});

test('update numbers may restart after a quiet time', async () => {
  await using context = await harness();
  const { platform, fixture } = context;
  await fixture.connect();
  await platform.write({ chat: DIRECT, by: '501', text: 'high' });
  await until(() => texts(fixture).includes('high'));
  platform.cut(); // the poll after a failure does not wait, so its empty answer comes at once
  await until(() => fixture.facts.connected === false);
  await until(() => fixture.facts.connected);
  await until(() => platform.consumers === 1);
  platform.push({ update_id: 5, message: platform.message({ chat: DIRECT, by: '501', text: 'low' }) });
  await until(() => texts(fixture).includes('low'));
});

test('a webhook takes posts that prove themselves, and answers once they are taken', async () => {
  await using context = await harness({ config: { webhookUrl: 'https://bot.example.org/hooks/telegram' } });
  const { platform, fixture } = context;
  const connection = await fixture.connect();
  assert.deepEqual(
    [platform.webhook?.url, platform.webhook?.secret_token, fixture.facts.mode],
    ['https://bot.example.org/hooks/telegram', 'hook-secret', 'webhook'],
  );
  const handler = fixture.mounts.get('/hooks/telegram')!;
  const post = (body: string, secret = 'hook-secret', method = 'POST') =>
    handler({
      method,
      headers: { 'x-telegram-bot-api-secret-token': secret },
      query: new URLSearchParams(),
      body: Buffer.from(body),
    });
  const taken = Promise.withResolvers<void>();
  fixture.before = () => taken.promise;
  let answered = false;
  const answer = post(
    JSON.stringify({ update_id: 7, message: platform.message({ chat: DIRECT, by: '501', text: 'posted' }) }),
  ).then((result) => {
    answered = true;
    return result;
  });
  assert.equal((await post('{"update_id":8}')).status, 200);
  assert.equal(answered, false);
  taken.resolve();
  assert.deepEqual([(await answer).status, texts(fixture)], [200, ['posted']]);
  assert.equal((await post('{}', 'wrong')).status, 401);
  assert.equal(
    (await handler({ method: 'POST', headers: {}, query: new URLSearchParams(), body: Buffer.from('{}') })).status,
    401,
  );
  assert.deepEqual(
    [(await post('no json')).status, (await post('[1]')).status, (await post('', 'hook-secret', 'GET')).status],
    [200, 200, 405],
  );
  await connection[Symbol.asyncDispose]();
  assert.equal(fixture.mounts.size, 0);
});

test('a webhook without a secret, or without a path, is refused', async () => {
  await using platform = await startFakeTelegram();
  for (const [config, wrong] of [
    [{ webhookUrl: 'https://bot.example.org/hook' }, /webhookSecret/],
    [{ webhookUrl: 'https://bot.example.org', webhookSecret: 'abc' }, /needs a path/],
  ] as const) {
    await using fixture = await testAccount(telegram, {
      config: { ...platform.config, ...config },
      credentials: platform.credentials,
    });
    await assert.rejects(fixture.connect(), wrong);
  }
});

test('without a token it says where to put one', async () => {
  await using platform = await startFakeTelegram();
  await using fixture = await testAccount(telegram, { config: platform.config });
  await assert.rejects(fixture.connect(), { code: 'auth', message: /BotFather/ });
});

test('an address nobody listens at is no refusal of the token, and shows none', async () => {
  await using fixture = await testAccount(telegram, {
    config: { apiRoot: 'http://127.0.0.1:9' },
    credentials: { botToken: TOKEN },
  });
  await assert.rejects(
    fixture.connect(),
    (error: any) =>
      error.code === 'unavailable' &&
      !JSON.stringify([error.message, String(error.cause), error.cause?.stack]).includes(TOKEN),
  );
});

test(
  'G215 the menu holds our commands and those of the configuration; what collides is left out; nothing ' +
    'registered leaves only theirs',
  async () => {
    const customCommands = [
      { command: 'status', description: 'mine' },
      { command: '/weather', description: 'The weather' },
      { command: 'Bad Name', description: 'x' },
    ];
    for (const [commands, wanted] of [
      [
        [
          { name: 'status', description: 'Where we are', args: [] },
          { name: 'dock-x', description: 'Dock', args: [] },
        ],
        ['status', 'dock_x', 'weather'],
      ],
      [[], ['status', 'weather']],
    ] as const) {
      await using context = await harness({ config: { customCommands }, commands: [...commands] });
      await context.fixture.connect();
      await until(() => context.platform.commands.length > 0);
      assert.deepEqual(
        context.platform.commands.map(({ command }) => command),
        wanted,
      );
    }
  },
);

test('a group that became a supergroup is reported with its new id', async () => {
  await using context = await harness();
  const { platform, fixture } = context;
  const connection = await fixture.connect();
  platform.push({
    message: {
      message_id: 5,
      date: 1,
      chat: { id: -77, type: 'group', title: 'Old' },
      from: { id: 501, is_bot: false, first_name: 'Ann' },
      migrate_to_chat_id: -10077,
    },
  });
  await until(() => fixture.facts.problems?.some(({ message }) => message.includes('-10077')));
  platform.refuse('sendMessage', {
    error_code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: -10078 },
  });
  await connection.send(
    { channel: 'telegram', accountId: 'default', chat: { kind: 'group', id: '-78' } },
    { token: 't', runId: 'r', sessionKey: 's', payload: { kind: 'final', text: 'moved' } },
  );
  assert.equal(platform.seen({ kind: 'group', id: '-10078' })[0]?.text, 'moved');
  assert.ok(fixture.facts.problems?.some(({ message }) => message.includes('-10078')));
});

test('privacy mode is named where the settings want to hear everything', async () => {
  await using context = await harness({
    config: { groups: { '-1001': { requireMention: false } } },
    before: (platform) => void (platform.me['can_read_all_group_messages'] = false),
  });
  await context.fixture.connect();
  assert.match(context.fixture.facts.problems?.[0]?.message ?? '', /Privacy mode is on for @test_bot: in -1001/);
});

/** A proxy that passes on what it is asked for, and counts. */
async function startProxy() {
  const seen: string[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(String(incoming.headers['proxy-authorization']));
    const passed = request(incoming.url!, { method: incoming.method!, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  server.on('connect', (incoming, socket, head) => {
    seen.push('tunnel');
    const [host, port] = incoming.url!.split(':');
    const there = dial(Number(port), host!, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      there.write(head);
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy());
    socket.on('error', () => there.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    seen,
    url: `http://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('calls, polls and downloads go through the proxy of the account, with its password', async () => {
  await using proxy = await startProxy();
  await using context = await harness({ config: { proxy: proxy.url } });
  const { platform, fixture } = context;
  await using connection = await fixture.connect();
  const file = { name: 'p.txt', mime: 'text/plain', data: Buffer.from('hello') };
  await platform.write({ chat: DIRECT, by: '501', text: 'look', file });
  const { attachments } = await until(() => fixture.received[0]);
  const signal = AbortSignal.timeout(60_000);
  const { data } = await connection.download!(attachments[0]!.ref!, { maxBytes: 100, signal });
  assert.equal(Buffer.from(data).toString(), 'hello');
  assert.ok(proxy.seen.includes('tunnel') && proxy.seen.includes(`Basic ${btoa('user:secret')}`), proxy.seen.join(' '));
});

test('a proxy that is not there is named, without its password', async () => {
  await using context = await harness({ config: { proxy: 'http://user:secret@127.0.0.1:1' } });
  await assert.rejects(context.fixture.connect(), (error: Error) => !error.message.includes('secret'));
});
