/** iMessage's own behaviour: handles, chats, services, a program that ends, an untrusted webhook. */
import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import type { ChatAddress } from '../../core/message.ts';
import { testAccount } from '../../testing/channel-account.ts';
import type { ChannelPlatform } from '../../testing/channel-platform.ts';
import { outbound } from '../../testing/channel-contract/harness.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { until } from '../../testing/until.ts';
import { imessageConfig } from './config.ts';
import { startFakeBlueBubbles } from './fake-bluebubbles.ts';
import { startFakeImsg } from './fake.ts';
import { parseTarget, senderEntry, targetOf } from './handles.ts';
import imessage from './index.ts';
import { programOf } from './imsg.ts';
import { emojiOf, guidOf, kindOf } from './tapbacks.ts';

const ANN = '+15550000002';
const direct = { kind: 'direct', id: ANN } as const;
const to = (id: string, kind: 'direct' | 'group' = 'direct'): ChatAddress => ({
  channel: 'imessage',
  accountId: 'default',
  chat: { kind, id },
});

async function open<P extends ChannelPlatform>(start: () => Promise<P>, settings: object = {}) {
  const platform = await start();
  const fixture = await testAccount(imessage, {
    config: { ...platform.config, ...settings },
    credentials: platform.credentials,
  });
  const connection = await fixture.connect();
  return {
    platform,
    fixture,
    connection,
    heard: (text: string) => until(() => fixture.received.find((one) => one.text === text), text),
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}

test('targets name people by handle and service, and chats by row or guid', () => {
  const chat = (target: string) => parseTarget(target)?.chat;
  assert.deepEqual(chat('auto:+1 (555) 000-0002'), direct);
  assert.deepEqual(chat('Ann@Example.com'), { kind: 'direct', id: 'ann@example.com' });
  assert.deepEqual(chat('sms:+15550000002'), { kind: 'direct', id: `sms:${ANN}` });
  for (const spelled of ['chat_id:42', 'imessage:chat_id:42', 'chat:42', 'chatid:42', 'group:42'])
    assert.deepEqual(chat(spelled), { kind: 'group', id: '42' }, spelled);
  assert.deepEqual(chat('chat_guid:iMessage;+;chat42'), { kind: 'group', id: 'iMessage;+;chat42' });
  for (const wrong of ['ann', 'chat_id:x', '', 'a b@c', 'chat_guid:']) assert.equal(chat(wrong), undefined, wrong);
  assert.deepEqual(['imessage:*', 'sms:+15550000002', 'ANN@example.com', 'ann'].map(senderEntry), [
    '*',
    ANN,
    'ann@example.com',
    undefined,
  ]);
  assert.deepEqual(targetOf(to(`sms:${ANN}`), 'auto'), { kind: 'direct', handle: ANN, service: 'sms' });
  assert.deepEqual(targetOf(to(ANN), 'imessage'), { kind: 'direct', handle: ANN, service: 'imessage' });
});

test('tapbacks have a word and an emoji', () => {
  assert.deepEqual(['👍', '❤', '‼️', 'laugh', '🦞'].map(kindOf), ['like', 'love', 'emphasize', 'laugh', undefined]);
  assert.deepEqual([emojiOf('dislike'), guidOf('p:0/AB'), guidOf('bp:AB')], ['👎', 'AB', 'AB']);
});

test('imsg on another Mac is started by ssh, its words quoted for the shell there', () => {
  const config = imessageConfig.parse({ remoteHost: 'me@mac.local', cliPath: "/opt/it's/imsg", dbPath: '/tmp/a b' });
  const { command, args, pass } = programOf(config);
  assert.deepEqual([command, pass], ['ssh', ['SSH_AUTH_SOCK']]);
  assert.deepEqual(args.slice(-2), ['me@mac.local', `'/opt/it'\\''s/imsg' 'rpc' '--db' '/tmp/a b'`]);
  assert.throws(() => imessageConfig.parse({ remoteHost: '-oProxyCommand=x' }));
});

test('a thread that the settings list is a group, also where Messages does not say so', async () => {
  await using it = await open(startFakeImsg, { groups: { 'chat_id:2': {} } });
  await it.platform.write({ chat: direct, by: ANN, text: 'hello' });
  assert.deepEqual((await it.heard('hello')).address.chat, { kind: 'group', id: '2' });
});

test('the service and the fallback to SMS are those of the settings', async () => {
  await using it = await open(startFakeImsg, { smsFallback: false, region: 'DE' });
  await it.connection.send(to(ANN), outbound({ text: '**a**' }, 'a'));
  await it.connection.send(to(`sms:${ANN}`), outbound({ text: 'b' }, 'b'));
  const [one, two] = it.platform.calls.filter(({ method }) => method === 'send').map(({ params }) => params);
  assert.deepEqual(one, { to: ANN, service: 'auto', region: 'DE', allow_sms_fallback: false, text: 'a' });
  assert.equal(two!['service'], 'sms');
  await using blue = await open(startFakeBlueBubbles);
  blue.platform.smsOnly.add('+15550000009');
  await blue.connection.send(to('+15550000009'), outbound({ text: 'x' }, 'c'));
  assert.equal(blue.platform.calls.find(({ path }) => path === 'message/text')!.body.chatGuid, 'SMS;-;+15550000009');
});

test('without the bridge words are sent and what needs it says so', async () => {
  const platform = await startFakeImsg();
  platform.bridge = false;
  await using it = await open(async () => platform);
  const id = await platform.write({ chat: direct, by: ANN, text: 'why?' });
  await it.connection.send(to(ANN), outbound({ text: 'because', replyTo: { id } }, 'a'));
  assert.equal(platform.seen(direct)[0]!.replyTo, undefined);
  await assert.rejects(it.connection.react!(to(ANN), id, '👍'), (error: AppError) => {
    assert.match(error.message, /imsg launch/);
    return error.code === 'unsupported';
  });
});

test('a file that lies elsewhere is not read, and nonsense on the pipe harms nobody', async () => {
  await using it = await open(startFakeImsg);
  const download = it.connection.download!('/etc/passwd', { maxBytes: 10_000, signal: AbortSignal.timeout(60_000) });
  await assert.rejects(download, (error: AppError) => error.code === 'denied');
  it.platform.tell('no json\n{"jsonrpc":"2.0","method":"message","params":{"message":{"guid":1}}}\n[]');
  await it.platform.write({ chat: direct, by: ANN, text: 'still here' });
  await it.heard('still here');
});

test('what came while the gateway was down is taken once, from the first message on', async () => {
  await using platform = await startFakeImsg();
  await platform.write({ chat: direct, by: ANN, text: 'long ago' });
  await using fixture = await testAccount(imessage, { config: platform.config });
  const first = await fixture.connect();
  const offered = { times: 0 };
  fixture.before = async () => {
    offered.times += 1;
    throw new AppError('unavailable', 'not now');
  };
  await platform.write({ chat: direct, by: ANN, text: 'one' });
  await until(() => offered.times > 0);
  await first[Symbol.asyncDispose]();
  fixture.before = undefined;
  await platform.write({ chat: direct, by: ANN, text: 'two' });
  await fixture.connect();
  await until(() => fixture.received.length === 2);
  assert.deepEqual(
    fixture.received.map(({ text }) => text),
    ['one', 'two'],
  );
});

async function failing(script: string): Promise<AppError> {
  await using dir = await tempDir('imsg-bad');
  const cliPath = join(dir.path, 'imsg');
  await writeFile(cliPath, `#!/bin/sh\n${script}\n`);
  await chmod(cliPath, 0o755);
  await using fixture = await testAccount(imessage, { config: { cliPath } });
  return await fixture.connect().then(
    () => assert.fail('it connected'),
    (error: unknown) => error as AppError,
  );
}

test('an imsg that is old, absent or ends says what to do; an old one is not tried again', async () => {
  const old = await failing('echo "Unknown command rpc" >&2; exit 2');
  assert.deepEqual([old.code, /Update it/.test(old.message)], ['auth', true]);
  assert.match((await failing('echo "no disk" >&2; exit 1')).message, /ended \(code 1\): no disk/);
  await using fixture = await testAccount(imessage, { config: { cliPath: '/nowhere/imsg' } });
  await assert.rejects(fixture.connect(), /does not start:.*Install it on the Mac/s);
});

test('a webhook needs the password, and only says that there is something: the rest is read from the server', async () => {
  await using it = await open(startFakeBlueBubbles, { webhookUrl: 'https://gateway.test', pollSeconds: 3600 });
  const [{ url, events } = { url: '', events: [] }] = it.platform.hooks;
  assert.deepEqual([new URL(url).pathname, events], ['/imessage/webhook', ['new-message', 'updated-message']]);
  const hook = it.fixture.mounts.get('/imessage/webhook')!;
  const post = (body: object | string, query = new URL(url).searchParams, method = 'POST') =>
    hook({ method, headers: {}, query, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) });
  const forged = { type: 'new-message', data: { guid: 'X', text: 'forged', isFromMe: false } };
  assert.equal((await post(forged, new URLSearchParams('password=wrong'))).status, 401);
  assert.equal((await post(forged, new URLSearchParams())).status, 401);
  assert.equal((await post('no json')).status, 400);
  assert.equal((await post(forged, undefined, 'GET')).status, 405);
  assert.equal((await post(forged)).status, 200);
  const guid = await it.platform.write({ chat: direct, by: ANN, text: 'teh' });
  for (const _ of [1, 2]) assert.equal((await post({ type: 'new-message', data: { guid } })).status, 200);
  await it.heard('teh');
  await it.platform.change(direct, guid, 'the');
  assert.equal((await post({ type: 'updated-message', data: { guid, text: 'forged' } })).status, 200);
  const edited = await it.heard('the');
  assert.ok(edited.id === guid && edited.editVersion! > 0);
  assert.deepEqual(
    it.fixture.received.map(({ text }) => text),
    ['teh', 'the'],
  );
});

test('BlueBubbles: a wrong password, a server that is gone, and a passed-on voice note', async () => {
  await using platform = await startFakeBlueBubbles();
  await using none = await testAccount(imessage, { config: platform.config, credentials: { password: 'wrong' } });
  await assert.rejects(
    none.connect(),
    (error: AppError) => error.code === 'auth' && /passwordFile/.test(error.message),
  );
  await using gone = await testAccount(imessage, {
    config: { ...platform.config, serverUrl: 'http://127.0.0.1:1' },
    credentials: platform.credentials,
  });
  await assert.rejects(gone.connect(), (error: AppError) => {
    assert.ok(!error.message.includes('password='), error.message);
    return error.code === 'unavailable' || error.code === 'network';
  });
});
