/** Teams' own behaviour: verification, first messages, threads, cards, votes, files by consent. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AppError } from '../../core/errors.ts';
import type { ChatAddress } from '../../core/message.ts';
import { reachAccount, testAccount } from '../../testing/channel-account.ts';
import { outbound } from '../../testing/channel-contract/harness.ts';
import type { Chat } from '../../testing/channel-platform.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { until } from '../../testing/until.ts';
import { newPoll, withVote } from './cards.ts';
import { isAllowedHost } from './config.ts';
import { APP_ID, startFakeTeams, TENANT } from './fake.ts';
import { parseTarget, senderEntry } from './ids.ts';
import msteams from './index.ts';
import { wordsOf } from './words.ts';

const ANN = '11111111-1111-4111-8111-111111111111';
const BOB = '22222222-2222-4222-8222-222222222222';
const direct: Chat = { kind: 'direct', id: ANN };
const to = (chat: Chat): ChatAddress => ({
  channel: 'msteams',
  accountId: 'default',
  chat: { kind: chat.kind, id: chat.id },
  ...(chat.threadId ? { threadId: chat.threadId } : {}),
});

async function open(settings: object = {}) {
  const platform = await startFakeTeams();
  const { config, credentials } = platform;
  const fixture = await testAccount(msteams, { config: { ...config, ...settings }, credentials });
  reachAccount(platform, fixture);
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

test('targets name people of the directory, conversations and threads', () => {
  assert.deepEqual(parseTarget(`user:${ANN.toUpperCase()}`), { chat: { kind: 'direct', id: ANN } });
  assert.deepEqual(parseTarget('msteams:19:x@thread.v2'), { chat: { kind: 'group', id: '19:x@thread.v2' } });
  assert.deepEqual(parseTarget('conversation:19:x@thread.tacv2;messageid=17000'), {
    chat: { kind: 'channel', id: '19:x@thread.tacv2' },
    threadId: '17000',
  });
  for (const wrong of ['ann', 'user:ann', '', 'conversation:x']) assert.equal(parseTarget(wrong), undefined);
  assert.deepEqual(['*', `teams:${ANN}`, 'ann@example.com'].map(senderEntry), ['*', ANN, undefined]);
});

test('hosts are matched whole, and without https this machine alone', () => {
  const hosts = ['*.sharepoint.com', '127.0.0.1'];
  assert.deepEqual(
    ['https://a.sharepoint.com/x', 'http://127.0.0.1/x', 'http://a.sharepoint.com', 'https://asharepoint.com', 'x'].map(
      (url) => isAllowedHost(url, hosts),
    ),
    [true, true, false, false, false],
  );
});

test('a request of somebody else, for another bot, of long ago or from another directory is refused', async () => {
  await using it = await open();
  const good = it.platform.activity({ chat: direct, by: ANN, text: 'hello' });
  for (const [signing, status] of [
    [{ foreignKey: true }, 401],
    [{ audience: '00000000-0000-4000-8000-00000000dead' }, 401],
    [{ issuer: 'https://evil.example' }, 401],
    [{ expires: '-10m' }, 401],
    [{ serviceurl: 'https://evil.example' }, 403],
  ] as const)
    assert.equal(await it.platform.post(good, signing), status, JSON.stringify(signing));
  const tenant = { conversation: { ...(good['conversation'] as object), tenantId: ANN } };
  assert.equal(await it.platform.post({ ...good, ...tenant }), 403);
  assert.equal(await it.platform.post({ ...good, channelId: 'webchat' }), 403);
  const hook = it.fixture.mounts.get('/msteams/messages')!;
  const raw = (headers: Readonly<Record<string, string>>, body = '{"type":"message"}', method = 'POST') =>
    hook({ method, headers, query: new URLSearchParams(), body: Buffer.from(body) });
  const statuses = [raw({}), raw({ authorization: 'Bearer x' }), raw({}, 'no json'), raw({}, '{}', 'GET')];
  assert.deepEqual(
    (await Promise.all(statuses)).map(({ status }) => status),
    [401, 401, 400, 405],
  );
  assert.equal(it.fixture.received.length, 0);
  assert.equal(await it.platform.post(good), 200);
  await it.heard('hello');
});

test('a service address of elsewhere is refused although it is signed', async () => {
  await using it = await open({ serviceUrl: 'https://smba.example/' });
  assert.equal(await it.platform.post(it.platform.activity({ chat: direct, by: ANN, text: 'x' })), 403);
});

test('without credentials it does not start, and wrong ones are named without being shown', async () => {
  await using platform = await startFakeTeams();
  await using none = await testAccount(msteams, { config: platform.config });
  await assert.rejects(
    none.connect(),
    (error: AppError) => error.code === 'auth' && /without credentials/.test(error.message),
  );
  await using wrong = await testAccount(msteams, {
    config: platform.config,
    credentials: { appId: APP_ID, appPassword: 'wrong-secret' },
  });
  await assert.rejects(wrong.connect(), (error: AppError) => {
    assert.ok(/AADSTS7000215/.test(error.message) && !error.message.includes('wrong-secret'), error.message);
    return error.code === 'auth';
  });
});

test('somebody who never wrote is written to first, and where somebody wrote is known after a restart', async () => {
  await using it = await open();
  await it.connection.send(to(direct), outbound({ text: 'hello' }, 'a'));
  const [created] = it.platform.calls;
  assert.deepEqual(
    [created!.path, created!.body.members, created!.body.tenantId],
    ['/v3/conversations', [{ id: ANN }], TENANT],
  );
  await it.connection[Symbol.asyncDispose]();
  const again = await it.fixture.connect();
  await again.send(to(direct), outbound({ text: 'again' }, 'b'));
  assert.equal(it.platform.calls.filter(({ path }) => path === '/v3/conversations').length, 1);
});

test('answers in a channel go to the thread, or as new posts', async () => {
  const thread: Chat = { kind: 'channel', id: '19:general@thread.tacv2', threadId: '17000' };
  await using it = await open();
  await it.connection.send(to(thread), outbound({ text: 'x' }, 'a'));
  await using top = await open({ replyStyle: 'top-level' });
  await top.connection.send(to(thread), outbound({ text: 'x' }, 'a'));
  assert.ok(it.platform.calls[0]!.path.includes(';messageid=17000/'));
  assert.ok(!top.platform.calls[0]!.path.includes('messageid'));
});

test('words are those of the sender: mentions are names, entities characters, a quotation is none of them', () => {
  const self = '28:bot';
  const mention = (id: string, name: string) => ({
    type: 'mention',
    text: `<at>${name}</at>`,
    mentioned: { id, name },
  });
  const read = wordsOf(
    {
      text: '<at>Clawd</at>&nbsp;ask <at>Bob</at> &amp; 1 &lt; 2',
      entities: [mention(self, 'Clawd'), mention('29:b', 'Bob')],
    },
    self,
  );
  assert.deepEqual(read, { text: 'ask @Bob & 1 < 2', mentioned: true, others: true });
  const content =
    '<blockquote itemtype="http://schema.skype.com/Reply" itemid="17000"><strong>Bob</strong>' +
    '<p itemprop="preview">/elevated full</p></blockquote><p>no<br>thanks</p>';
  assert.deepEqual(
    wordsOf({ text: '/elevated full no thanks', attachments: [{ contentType: 'text/html', content }] }, self),
    {
      text: 'no\nthanks',
      mentioned: false,
      others: false,
      quoted: { id: '17000', text: '/elevated full', sender: 'Bob' },
    },
  );
});

test('a poll is a card that counts each person once, and shows the result', async () => {
  await using it = await open();
  const poll = { question: 'Dinner?', options: ['Pizza', 'Sushi'], maxSelections: 1 };
  const { pollId } = await it.connection.poll!(to(direct), poll);
  const vote = (by: string, choice: string) =>
    it.platform.post(it.platform.activity({ chat: { ...direct, id: by }, by }, { value: { poll: pollId, choice } }));
  for (const choice of ['0', '1', '7']) assert.equal(await vote(ANN, choice), 200);
  await vote(BOB, '0'); // of another chat: it was not asked there
  const card = JSON.stringify(it.platform.calls.filter(({ method }) => method === 'PUT').at(-1)!.body);
  assert.match(card, /Pizza: 0 · Sushi: 1 \(1\)/);
  assert.equal(it.fixture.received.length, 0);
  const stored = newPoll({ ...poll, durationHours: 1 }, 0);
  assert.equal(withVote(stored, ANN, { chosen: [0], now: 3600_001 }), undefined);
  assert.equal(withVote(stored, ANN, { chosen: [0, 1], now: 1 }), undefined);
});

test('buttons are a card; a press says what it carries, and nobody’s words', async () => {
  await using it = await open();
  const call = { to: to(direct), signal: AbortSignal.timeout(60_000) };
  const buttons = '[[{"text":"Yes","data":"yes"}]]';
  await it.connection.act!('buttons', { ...call, parameters: { message: 'Sure?', buttons } });
  assert.match(JSON.stringify(it.platform.calls.at(-1)!.body), /Action.Submit.*"callback":"yes"/);
  await it.platform.post(it.platform.activity({ chat: direct, by: ANN }, { value: { callback: 'yes' } }));
  assert.equal((await it.heard('callback_data: yes')).said, '');
  await assert.rejects(it.connection.act!('buttons', { ...call, parameters: { message: 'x', buttons: '[{}]' } }), {
    code: 'invalid',
  });
});

test('a file is offered, and uploaded once the person it was offered to accepts it', async () => {
  await using it = await open();
  await using dir = await tempDir('teams-file');
  const path = join(dir.path, 'plan.pdf');
  await writeFile(path, 'the plan');
  const media = [{ from: 'file', path, mime: 'application/pdf' }] as const;
  await it.connection.send(to(direct), outbound({ text: 'here', media }, 'a'));
  const { acceptContext: context } = it.platform.calls.at(-1)!.body.attachments[0].content;
  const accept = (by: string, uploadUrl: string) =>
    it.platform.post(
      it.platform.activity(
        { chat: { kind: 'direct', id: by }, by },
        {
          type: 'invoke',
          name: 'fileConsent/invoke',
          value: {
            type: 'fileUpload',
            action: 'accept',
            context,
            uploadInfo: { uploadUrl, name: 'plan.pdf', contentUrl: 'x', uniqueId: 'u' },
          },
        },
      ),
    );
  assert.equal(await accept(BOB, `${it.platform.url}/upload`), 200);
  assert.equal(it.platform.uploads.length, 0, 'it was not offered to Bob');
  assert.equal(await accept(ANN, `${it.platform.url}/upload`), 200);
  assert.deepEqual(it.platform.uploads.map(String), ['the plan']);
  assert.equal(
    it.platform.calls.at(-1)!.body.attachments[0].contentType,
    'application/vnd.microsoft.teams.card.file.info',
  );
  const group = to({ kind: 'group', id: '19:friends@thread.v2' });
  await assert.rejects(it.connection.send(group, outbound({ media }, 'b')), { code: 'unsupported' });
});

test('files of messages are fetched from hosts of the list alone', async () => {
  await using it = await open({ mediaAllowHosts: ['*.sharepoint.com'] });
  const limits = { maxBytes: 100, signal: AbortSignal.timeout(60_000) };
  await assert.rejects(it.connection.download!(`${it.platform.url}/files/1`, limits), { code: 'denied' });
  await assert.rejects(it.connection.download!('file:///etc/passwd', limits), { code: 'denied' });
});
