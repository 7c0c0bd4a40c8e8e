/** Failures of Slack's socket and webhook: forged requests, second connections, malformed frames, outages. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError, type ChannelConnection } from '../../sdk/index.ts';
import { testAccount, type TestAccount } from '../../testing/channel-account.ts';
import { until } from '../../testing/until.ts';
import { SIGNING_SECRET, signed } from './fake-seen.ts';
import { startFakeSlack, type FakeSlack } from './fake.ts';
import slack from './index.ts';

const ANN = 'U0ANN00001';
const direct = { kind: 'direct', id: ANN } as const;
const channel = { kind: 'channel', id: 'C0GENERAL1' } as const;
interface Harness extends AsyncDisposable {
  readonly platform: FakeSlack;
  readonly fixture: TestAccount;
  readonly connection: ChannelConnection;
}

async function harness(config: object = {}, before?: (platform: FakeSlack) => void): Promise<Harness> {
  const platform = await startFakeSlack();
  before?.(platform);
  const fixture = await testAccount(slack, {
    config: { ...platform.config, ...config },
    credentials: platform.credentials,
  });
  const connection = await fixture.connect();
  return {
    platform,
    fixture,
    connection,
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}
const texts = ({ fixture }: Harness): string[] => fixture.received.map(({ text }) => text);

describe('Slack over a socket', () => {
  it('tells when others share its token', async () => {
    await using on = await harness({}, (platform) => void (platform.connections = 3));
    const [problem] = on.fixture.facts.problems!;
    assert.match(problem!.message, /^3 connections share this app token/);
    assert.ok(problem!.fix);
    on.platform.connections = 1;
    on.platform.sendRaw(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
    await until(() => on.fixture.facts.problems!.length === 0);
    await until(() => on.platform.consumers === 1);
  });

  it('comes back at once when Slack asks for it, and misses nothing', async () => {
    await using on = await harness();
    await on.platform.write({ chat: direct, by: ANN, text: 'one' });
    await until(() => texts(on).includes('one'));
    for (const reason of ['refresh_requested', 'warning', 'too_many_websockets'])
      on.platform.sendRaw(JSON.stringify({ type: 'disconnect', reason }));
    await until(
      () =>
        on.platform.calls.filter(({ method }) => method === 'apps.connections.open').length === 2 &&
        on.platform.consumers === 1,
    );
    await on.platform.write({ chat: direct, by: ANN, text: 'two' });
    await until(() => texts(on).includes('two'));
  });

  it('ends when Socket Mode is turned off, or the app is uninstalled', async () => {
    await using on = await harness();
    on.platform.sendRaw(JSON.stringify({ type: 'disconnect', reason: 'link_disabled' }));
    await assert.rejects(
      on.connection.ended!,
      (error: AppError) => error.code === 'auth' && /Socket Mode/.test(error.message),
    );
    await using other = await harness();
    await other.platform.deliver('events_api', { event: { type: 'app_uninstalled' } }, 'gone');
    await assert.rejects(other.connection.ended!, { code: 'auth' });
    await until(() => other.platform.acknowledged.includes('gone'));
  });

  it('skips what it cannot read, acknowledges it, and stays', async () => {
    await using on = await harness();
    for (const frame of [
      '',
      'no json',
      '[]',
      '"x"',
      'null',
      '{}',
      '{"type":"events_api"}',
      '{"type":"hello"}',
      `{"type":"${'y'.repeat(100_000)}"}`,
    ])
      on.platform.sendRaw(frame);
    const strange: unknown[] = [
      null,
      1,
      'text',
      [],
      {},
      { event: null },
      { event: {} },
      { event: { type: 'message' } },
      { event: { type: 'message', channel: {}, ts: [], user: 7, text: {} } },
      { event: { type: 'close' } },
      { event: { type: 'error' } },
      { event: { type: 'disconnected' } },
      { event: { type: 'ws_message' } },
      { event: { type: 'message', user: ANN, channel: 'D0ANN00001', ts: 'not a time', text: 'odd time' } },
    ];
    for (const [index, payload] of strange.entries()) await on.platform.deliver('events_api', payload, `odd-${index}`);
    await on.platform.deliver('slash_commands', { command: 3 }, 'odd-slash');
    await on.platform.deliver('interactive', { type: 'block_actions', actions: 'no' }, 'odd-click');
    await on.platform.write({ chat: direct, by: ANN, text: 'x'.repeat(100_000) });
    await until(() => on.fixture.received.some(({ text }) => text.length === 100_000));
    await until(() => on.platform.acknowledged.length === strange.length + 3);
    assert.deepEqual(
      texts(on).map((text) => text.slice(0, 8)),
      ['odd time', 'xxxxxxxx'],
    );
    assert.equal(on.platform.consumers, 1);
  });

  it('reports a message and its mention event as one message', async () => {
    await using on = await harness();
    await on.platform.write({ chat: channel, by: ANN, text: 'hello', mention: true });
    await until(() => on.fixture.received.length === 2);
    assert.equal(new Set(on.fixture.received.map(({ key }) => key)).size, 1);
    assert.ok(on.fixture.received.every(({ addressesBot, said }) => addressesBot && said === 'hello'));
  });

  it('does not wait for names, nor fail without them', async () => {
    await using on = await harness();
    for (const method of [
      'users.info',
      'conversations.info',
      'conversations.replies',
      'conversations.history',
      'conversations.open',
    ])
      on.platform.forbidden.set(method, 'x:read');
    await on.platform.write({ chat: { ...channel, threadId: '1700000000.000100' }, by: ANN, text: 'no names' });
    const reported = await until(() => on.fixture.received[0]);
    assert.deepEqual(
      [reported.sender, reported.place?.chat, reported.threadStarter],
      [{ id: ANN }, undefined, undefined],
    );
  });

  it('tells what a thread began with, asked once', async () => {
    await using on = await harness();
    const root = await on.platform.write({ chat: channel, by: 'U0BOB00001', name: 'Bob', text: 'Lunch?' });
    for (const text of ['yes', 'no'])
      await on.platform.write({ chat: { ...channel, threadId: root }, by: ANN, name: 'Ann', text });
    await until(() => on.fixture.received.length === 3);
    assert.deepEqual(
      on.fixture.received.slice(1).map(({ threadStarter }) => threadStarter),
      Array.from({ length: 2 }, () => ({ text: 'Lunch?', sender: 'Bob', senderId: 'U0BOB00001' })),
    );
    assert.equal(on.platform.calls.filter(({ method }) => method === 'conversations.replies').length, 1);
  });

  it('tells of a reaction in the thread its own message hangs in', async () => {
    await using on = await harness();
    const to = { channel: 'slack', accountId: 'default', chat: channel, threadId: '1700000000.000100' };
    const { messageIds } = await on.connection.send(to, {
      token: 't',
      runId: 'r',
      sessionKey: 's',
      payload: { kind: 'final', text: 'a joke' },
    });
    await on.platform.react(channel, messageIds[0]!, '😂', ANN);
    const reported = await until(() => on.fixture.received[0]);
    assert.deepEqual([reported.quiet, reported.address.threadId], [true, '1700000000.000100']);
  });

  it('reads what was missed while it was away, oldest first, in chats and threads, before what comes then', async () => {
    await using on = await harness();
    const root = await on.platform.write({ chat: channel, by: ANN, text: 'root' });
    await on.platform.write({ chat: { ...channel, threadId: root }, by: ANN, text: 'in thread' });
    await until(() => on.fixture.received.length === 2);
    await on.connection[Symbol.asyncDispose]();
    for (const text of ['1', '2', '3']) await on.platform.write({ chat: channel, by: ANN, text });
    await on.platform.write({ chat: { ...channel, threadId: root }, by: ANN, text: 'in thread too' });
    await on.platform.write({ chat: channel, by: on.platform.botId, text: 'own' });
    await on.fixture.connect();
    await on.platform.write({ chat: channel, by: ANN, text: '4' });
    await until(() => texts(on).includes('4') && texts(on).includes('in thread too'));
    assert.deepEqual([...new Set(texts(on).filter((text) => text.length === 1))], ['1', '2', '3', '4']);
    assert.equal(on.fixture.received.find(({ text }) => text === 'in thread too')!.address.threadId, root);
  });

  it('notices that nothing comes over a connection that stands, and opens another', async () => {
    await using on = await harness({ deafAfterMinutes: 0.002 });
    await on.platform.write({ chat: direct, by: ANN, text: 'heard' });
    await until(() => texts(on).includes('heard'));
    on.platform.deaf = true;
    await on.platform.write({ chat: direct, by: ANN, text: 'unheard' });
    await until(() => texts(on).includes('unheard'));
    await until(() => on.platform.calls.filter(({ method }) => method === 'apps.connections.open').length > 1);
    await until(() => on.platform.consumers === 1);
  });

  it('backs off when Slack ends every connection at once', async () => {
    await using on = await harness();
    const opened = (): number => on.platform.calls.filter(({ method }) => method === 'apps.connections.open').length;
    for (const count of [2, 3]) {
      on.platform.sendRaw(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
      await until(() => opened() === count && on.platform.consumers === 1);
    }
  });

  it('can be stopped on its way to Slack', async () => {
    await using platform = await startFakeSlack();
    const fixture = await testAccount(slack, { config: platform.config, credentials: platform.credentials });
    const connecting = fixture.connect();
    connecting.catch(() => undefined); // looked at below
    await until(() => platform.calls.length > 0);
    await fixture[Symbol.asyncDispose]();
    await connecting.then(
      (connection) => connection[Symbol.asyncDispose](),
      (error: unknown) => assert.ok(error instanceof AppError),
    );
    await until(() => platform.consumers === 0);
  });

  it('takes the pings of its own socket for activity', async () => {
    await using quiet = await harness();
    await using platform = await startFakeSlack();
    await using fixture = await testAccount(slack, { config: platform.config, credentials: platform.credentials });
    let signs = 0;
    await using _ = await slack.connect({ ...fixture.account, report: ({ alive }) => void (signs += alive ? 1 : 0) });
    const before = signs;
    quiet.platform.ping();
    platform.ping();
    await until(() => signs > before);
    assert.equal(signs, before + 1);
  });

  it('answers a probe with what is wrong', async () => {
    await using on = await harness();
    assert.deepEqual(await on.connection.probe(AbortSignal.timeout(60_000)), {
      ok: true,
      detail: 'clawd in Test team',
    });
    assert.equal((await on.connection.probe(AbortSignal.abort())).ok, false);
    on.platform.revoke();
    assert.match((await on.connection.probe(AbortSignal.timeout(60_000))).detail!, /invalid_auth/);
  });

  it('says so when it may not read what was missed', async () => {
    await using on = await harness();
    await on.platform.write({ chat: direct, by: ANN, text: 'before' });
    await until(() => texts(on).includes('before'));
    on.platform.forbidden.set('conversations.history', 'im:history');
    on.platform.cut();
    const problem = await until(() => on.fixture.facts.problems?.[0]);
    assert.match(`${problem.message} ${problem.fix}`, /im:history/);
  });

  it('keeps what was not taken unacknowledged when it closes', async () => {
    await using on = await harness();
    on.fixture.before = async () => {
      throw new AppError('storage', 'the disk is full');
    };
    const id = await on.platform.write({ chat: direct, by: ANN, text: 'not lost' });
    await on.connection[Symbol.asyncDispose]();
    assert.deepEqual([on.platform.acknowledged.includes(id), on.fixture.received.length], [false, 0]);
    on.fixture.before = undefined;
    await on.fixture.connect();
    await until(() => texts(on).includes('not lost'));
  });
});

describe('Slack over HTTP', () => {
  const http = (config: object = {}): Promise<Harness> => harness({ mode: 'http', ...config });
  const post = async (
    { fixture }: Harness,
    body: string,
    headers: object = {},
  ): Promise<{ status: number; body?: string }> =>
    fixture.mounts.get('/slack/events')!({
      method: 'POST',
      query: new URLSearchParams(),
      body: Buffer.from(body),
      headers: { 'content-type': 'application/json', ...signed(body), ...headers },
    });
  const event = (text: string, ts = '1763800000.000100'): string =>
    JSON.stringify({
      type: 'event_callback',
      team_id: 'T0TEAM0001',
      event: { type: 'message', user: ANN, channel: 'D0ANN00001', channel_type: 'im', text, ts },
    });

  it('takes events, commands and clicks, and answers the challenge', async () => {
    await using on = await http();
    assert.equal(on.platform.consumers, 0);
    assert.equal((await post(on, event('hello'))).status, 200);
    const form = (fields: Record<string, string>): Promise<{ status: number }> =>
      post(on, new URLSearchParams(fields).toString(), { 'content-type': 'application/x-www-form-urlencoded' });
    assert.equal(
      (
        await form({
          command: '/clawd',
          text: 'status',
          user_id: ANN,
          channel_id: 'D0ANN00001',
          channel_name: 'directmessage',
          trigger_id: '1',
          response_url: `${on.platform.origin}/response/1`,
        })
      ).status,
      200,
    );
    assert.equal(
      (
        await form({
          payload: JSON.stringify({
            type: 'block_actions',
            user: { id: ANN },
            channel: { id: 'D0ANN00001' },
            message: { ts: '1.000001', user: on.platform.botId },
            actions: [{ value: 'yes' }],
            trigger_id: '2',
          }),
        })
      ).status,
      200,
    );
    assert.deepEqual(
      on.fixture.received.map(({ text, said }) => said || text),
      ['hello', '/status', 'callback_data: yes'],
    );
    assert.deepEqual(await post(on, JSON.stringify({ type: 'url_verification', challenge: 'abc' })), {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: 'abc',
    });
    assert.equal(on.fixture.facts.mode, 'http');
  });

  it('believes nobody without a fresh signature', async () => {
    await using on = await http();
    const body = event('forged');
    const now = Math.floor(Date.now() / 1000);
    const bad = [
      { 'x-slack-signature': undefined },
      { 'x-slack-signature': 'v0=00' },
      { 'x-slack-request-timestamp': undefined },
      signed(body, { secret: 'another' }),
      signed(body, { at: now - 400 }),
      signed(body, { at: now + 400 }),
      signed(`${body} `),
      { 'x-slack-request-timestamp': 'NaN' },
    ];
    for (const headers of bad) assert.equal((await post(on, body, headers)).status, 401);
    const hook = on.fixture.mounts.get('/slack/events')!;
    const read = { method: 'GET', query: new URLSearchParams(), body: Buffer.alloc(0), headers: {} };
    assert.equal((await hook(read)).status, 405);
    assert.deepEqual(on.fixture.received, []);
    assert.ok(SIGNING_SECRET.length > 0);
  });

  it('answers only once the message is taken, and gives one that comes twice one identity', async () => {
    await using on = await http();
    const taken = Promise.withResolvers<void>();
    on.fixture.before = () => taken.promise;
    const answers = [
      post(on, event('twice')),
      post(on, event('twice'), { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' }),
    ];
    const first = await Promise.race([...answers, new Promise((resolve) => setImmediate(resolve, 'nothing yet'))]);
    assert.equal(first, 'nothing yet');
    taken.resolve();
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      [200, 200],
    );
    assert.equal(new Set(on.fixture.received.map(({ key }) => key)).size, 1);
  });

  it('refuses broken bodies and skips unknown ones', async () => {
    await using on = await http();
    assert.deepEqual(
      [(await post(on, '{')).status, (await post(on, '{}')).status, (await post(on, '[]')).status],
      [400, 200, 200],
    );
    assert.equal((await post(on, 'payload=%7B', { 'content-type': 'application/x-www-form-urlencoded' })).status, 200);
  });

  it('needs its signing secret', async () => {
    await using platform = await startFakeSlack();
    await using fixture = await testAccount(slack, {
      config: { ...platform.config, mode: 'http' },
      credentials: { botToken: platform.credentials['botToken']! },
    });
    await assert.rejects(fixture.connect(), { code: 'auth', message: /signingSecret/ });
  });
});
