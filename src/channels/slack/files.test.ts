/** Files on Slack: the token is sent only to Slack; and other actions. */
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { AppError, type ActionCall, type ChannelAccount, type ChannelConnection } from '../../sdk/index.ts';
import { testAccount } from '../../testing/channel-account.ts';
import { startFakeSlack, type FakeSlack } from './fake.ts';
import slack from './index.ts';

const ANN = 'U0ANN00001';
const channel = { kind: 'channel', id: 'C0GENERAL1' } as const;
const to = { channel: 'slack', accountId: 'default', chat: channel };

interface Harness extends AsyncDisposable {
  readonly platform: FakeSlack;
  readonly connection: ChannelConnection;
  readonly opened: string[];
}

async function harness(withUserToken = true): Promise<Harness> {
  const platform = await startFakeSlack();
  const { userToken: _, ...without } = platform.credentials;
  const fixture = await testAccount(slack, {
    config: platform.config,
    credentials: withUserToken ? platform.credentials : without,
  });
  const opened: string[] = [];
  // The product's guard refuses private addresses; here it fetches without a token, as the guard does.
  const open: ChannelAccount<unknown>['open'] = async (media) => {
    if (media.from !== 'url') throw new AppError('invalid', 'only addresses');
    opened.push(media.url);
    const response = await fetch(media.url);
    return {
      data: Buffer.from(await response.arrayBuffer()),
      mime: response.headers.get('content-type') ?? '',
      name: 'x',
    };
  };
  const connection = await slack.connect({ ...fixture.account, open });
  return {
    platform,
    connection,
    opened,
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}

async function elsewhere(): Promise<AsyncDisposable & { readonly url: string; readonly asked: IncomingHttpHeaders[] }> {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    response.writeHead(200, { 'content-type': 'image/png' }).end('elsewhere');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/picture.png`,
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Made anew each time: the clock of a signal runs from then on. */
const limits = () => ({ maxBytes: 1000, signal: AbortSignal.timeout(60_000) });
const fetchFile = (
  { connection }: Harness,
  ref: string,
  maxBytes = 1000,
): Promise<{ data: Uint8Array; mime?: string }> => connection.download!(ref, { ...limits(), maxBytes });
const act = (
  { connection }: Harness,
  action: string,
  parameters: Record<string, unknown>,
  call: Partial<ActionCall> = { to },
): Promise<any> => connection.act!(action, { parameters, signal: limits().signal, ...call });

describe('Slack files', () => {
  it('G221 drops the token when the file is sent on to another address', async () => {
    await using on = await harness();
    await using other = await elsewhere();
    on.platform.serve = (_path, response) => {
      response.writeHead(302, { location: other.url }).end();
      return true;
    };
    const { data } = await fetchFile(on, `F1 ${on.platform.origin}/files/F1/a.png`);
    assert.equal(Buffer.from(data).toString(), 'elsewhere');
    assert.deepEqual(
      [on.platform.fetched, other.asked.map(({ authorization }) => authorization), on.opened],
      [[{ path: '/files/F1/a.png', token: true }], [undefined], [other.url]],
    );
  });

  it('keeps the token on the way within Slack, and not for ever', async () => {
    await using on = await harness();
    on.platform.serve = (path, response) => {
      if (path.endsWith('/last')) response.writeHead(200, { 'content-type': 'image/png' }).end('here');
      else response.writeHead(302, { location: path.endsWith('/round') ? path : '/files/F1/last' }).end();
      return true;
    };
    assert.equal(Buffer.from((await fetchFile(on, `F1 ${on.platform.origin}/files/F1/first`)).data).toString(), 'here');
    assert.deepEqual(
      on.platform.fetched.map(({ token }) => token),
      [true, true],
    );
    await assert.rejects(fetchFile(on, `F1 ${on.platform.origin}/files/F1/round`), { code: 'bad_response' });
  });

  it('gives its token to nobody whose address a message names', async () => {
    await using on = await harness();
    await using other = await elsewhere();
    await fetchFile(on, `F1 ${other.url}`);
    assert.deepEqual([other.asked.map(({ authorization }) => authorization), on.opened], [[undefined], [other.url]]);
  });

  it('names the missing scope when Slack shows its sign-in page', async () => {
    await using on = await harness();
    on.platform.serve = (_path, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>sign in</html>');
      return true;
    };
    await assert.rejects(fetchFile(on, `F1 ${on.platform.origin}/files/F1/a.png`), {
      code: 'denied',
      message: /files:read/,
    });
  });

  it('stops at the limit, announced or not, and tells what is gone', async () => {
    await using on = await harness();
    on.platform.serve = (path, response) => {
      if (path.endsWith('gone')) response.writeHead(404).end();
      else if (path.endsWith('told'))
        response.writeHead(200, { 'content-type': 'image/png', 'content-length': '5000' }).end('x'.repeat(5000));
      else response.writeHead(200, { 'content-type': 'image/png' }).end('x'.repeat(5000));
      return true;
    };
    for (const name of ['told', 'untold'])
      await assert.rejects(fetchFile(on, `F1 ${on.platform.origin}/files/F1/${name}`), { code: 'too_large' });
    await assert.rejects(fetchFile(on, `F1 ${on.platform.origin}/files/F1/gone`), { code: 'not_found' });
    await assert.rejects(fetchFile(on, 'F0UNKNOWN1'), { code: 'not_found' });
  });
});

describe('Slack actions', () => {
  it('does every action it declares', async () => {
    await using on = await harness();
    const first = await on.platform.write({ chat: channel, by: ANN, name: 'Ann', text: 'one & two' });
    const second = await on.platform.write({ chat: channel, by: ANN, text: 'three' });
    const reply = await on.platform.write({ chat: { ...channel, threadId: first }, by: ANN, text: 'in thread' });
    assert.deepEqual(
      (await act(on, 'read', { limit: 5 })).messages.map((one: any) => [one.id, one.sender, one.text]),
      [
        [first, 'Ann', 'one & two'],
        [second, 'Ann', 'three'],
      ],
    );
    assert.deepEqual(
      (await act(on, 'read', { after: first })).messages.map((one: any) => one.id),
      [second],
    );
    assert.deepEqual(
      (await act(on, 'read', { threadId: first })).messages.map((one: any) => one.id),
      [first, reply],
    );
    await on.connection.react!(to, first, '👍');
    await on.connection.react!(to, first, '👍');
    assert.deepEqual(await act(on, 'reactions', { messageId: first }), {
      reactions: [{ emoji: '👍', count: 1, userIds: [on.platform.botId] }],
    });
    await on.connection.react!(to, first, '👀', { remove: true });
    await act(on, 'pin', { messageId: first });
    assert.deepEqual(
      (await act(on, 'pins', {})).messages.map((one: any) => one.id),
      [first],
    );
    await act(on, 'unpin', { messageId: first });
    assert.deepEqual((await act(on, 'pins', {})).messages, []);
    assert.equal((await act(on, 'member-info', { userId: `<@${ANN}>` }, {})).displayName, 'Ann');
    assert.deepEqual(await act(on, 'emoji-list', { limit: 1 }, {}), { emoji: ['lobster_dance'], total: 2 });
    assert.equal((await act(on, 'search', { query: 'figures' }, {})).messages[0].text, 'figures');
    const sent = await act(on, 'buttons', { message: 'Sure?', buttons: [[{ text: 'Yes', data: 'yes' }]] });
    assert.equal(on.platform.seen(channel).at(-1)!.id, sent.messageIds[0]);
    const declared = slack.actions!.map(({ name }) => name).sort();
    const all = ['buttons', 'emoji-list', 'member-info', 'pin', 'pins', 'reactions', 'read', 'search', 'unpin'];
    assert.deepEqual(declared, all);
  });

  it('says what is missing', async () => {
    await using on = await harness(false);
    await assert.rejects(act(on, 'pin', {}), { code: 'invalid', message: /`messageId` is missing/ });
    await assert.rejects(act(on, 'read', {}, {}), { code: 'invalid', message: /`target` is required/ });
    await assert.rejects(act(on, 'search', { query: 'x' }), { code: 'unsupported', message: /userToken/ });
    await assert.rejects(act(on, 'dance', {}), { code: 'unsupported' });
    await assert.rejects(on.connection.react!(to, '1.1', '🧿'), { code: 'invalid' });
  });
});
