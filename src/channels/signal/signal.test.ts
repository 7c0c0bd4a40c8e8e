/** Signal's own behaviour: identities, styles, quotes, safety numbers, and repeated events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppError } from '../../core/errors.ts';
import type { ChatAddress } from '../../core/message.ts';
import { renderMarkdown } from '../../sdk/markdown.ts';
import { testAccount } from '../../testing/channel-account.ts';
import { outbound } from '../../testing/channel-contract/harness.ts';
import { until } from '../../testing/until.ts';
import { ACCOUNT, RpcFailure, startFakeSignal, type FakeSignal } from './fake.ts';
import { parseTarget, senderEntry } from './ids.ts';
import signal from './index.ts';
import { signalDialect, styled } from './styles.ts';

const ANN = '+15550000002';
const UUID = '11111111-2222-4333-8444-555555555555';
const GROUP = 'Pmpi+EfPWmsxiomLe9Nx2XF9HOE483p6iKiFj65iMwI=';
const to = (id: string, kind: 'direct' | 'group' = 'direct'): ChatAddress => ({
  channel: 'signal',
  accountId: 'default',
  chat: { kind, id },
});

async function open(settings: object = {}) {
  const platform = await startFakeSignal();
  const fixture = await testAccount(signal, { config: { ...platform.config, ...settings } });
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

const sent = (platform: FakeSignal) =>
  platform.calls.filter(({ method }) => method === 'send').map(({ params }) => params);

test('targets and allowlist entries have one spelling; the case of group ids is part of them', () => {
  const chat = (target: string) => parseTarget(target)?.chat;
  assert.deepEqual(chat('signal:+1 (555) 000-0002'), { kind: 'direct', id: ANN });
  assert.deepEqual(chat(`uuid:${UUID.toUpperCase()}`), { kind: 'direct', id: `uuid:${UUID}` });
  assert.deepEqual(chat(UUID), { kind: 'direct', id: `uuid:${UUID}` });
  for (const spelled of ['u:Ann.42', 'username:ann.42', 'signal:username:ANN.42'])
    assert.deepEqual(chat(spelled), { kind: 'direct', id: 'username:ann.42' });
  assert.deepEqual(chat(`signal:group:${GROUP}`), { kind: 'group', id: GROUP });
  for (const wrong of ['ann', '5550000002', 'group:ann', 'uuid:1', '#room', '']) assert.equal(chat(wrong), undefined);
  assert.deepEqual(['signal:*', `uuid:${UUID}`, 'ann.42', 'u:ann.42', ANN].map(senderEntry), [
    '*',
    `uuid:${UUID}`,
    undefined,
    undefined,
    ANN,
  ]);
});

test('styles are ranges in UTF-16 units, also nested, also behind emoji', () => {
  const read = (markdown: string) => styled(renderMarkdown(markdown, signalDialect));
  assert.deepEqual(read('🦞 **bold _both_** `x`'), {
    text: '🦞 bold both x',
    styles: ['8:4:ITALIC', '3:9:BOLD', '13:1:MONOSPACE'],
  });
  assert.deepEqual(read('# Head\n\n~~no~~ \ue100evil\ue101'), {
    text: 'Head\n\nno evil',
    styles: ['0:4:BOLD', '6:2:STRIKETHROUGH'],
  });
});

test('somebody who hides their number is uuid:<id>, and stays who they are once they show it', async () => {
  await using it = await open();
  await it.platform.write({ chat: { kind: 'direct', id: '' }, by: `uuid:${UUID}`, text: 'hidden' });
  const message = await it.heard('hidden');
  assert.deepEqual([message.sender.id, message.address.chat.id], [`uuid:${UUID}`, `uuid:${UUID}`]);
  it.platform.tell({
    envelope: {
      sourceNumber: ANN,
      sourceUuid: UUID,
      timestamp: Date.now(),
      dataMessage: { timestamp: Date.now(), message: 'shown' },
    },
  });
  assert.equal((await it.heard('shown')).sender.id, `uuid:${UUID}`);
  await it.connection.send(to(`uuid:${UUID}`), outbound({ text: 'hello' }, 't'));
  await it.connection.send(to('username:ann.42'), outbound({ text: 'hello' }, 'u'));
  const [first, second] = sent(it.platform);
  assert.deepEqual([first!['recipient'], second!['username'], second!['recipient']], [UUID, 'ann.42', undefined]);
});

test('receipts, typing, stories, syncs, own messages and nonsense start nothing', async () => {
  await using it = await open();
  const at = Date.now();
  const from = { sourceNumber: ANN, timestamp: at };
  for (const envelope of [
    { ...from, receiptMessage: { when: at, isDelivery: true, timestamps: [at] } },
    { ...from, typingMessage: { action: 'STARTED', timestamp: at } },
    { ...from, storyMessage: { allowsReplies: true } },
    { ...from, sourceNumber: ACCOUNT, syncMessage: { sentMessage: { message: 'mine' } } },
    { ...from, sourceNumber: ACCOUNT, dataMessage: { timestamp: at, message: 'mine' } },
    { ...from, dataMessage: { timestamp: at, message: null, groupInfo: { groupId: GROUP, type: 'UPDATE' } } },
    { ...from, dataMessage: { timestamp: 'late', message: 'x' } },
    { timestamp: at, dataMessage: { timestamp: at, message: 'nobody' } },
    {},
  ])
    it.platform.tell({ envelope });
  it.platform.tell({
    account: '+15559999999',
    envelope: { ...from, dataMessage: { timestamp: at, message: 'not for us' } },
  });
  await it.platform.write({ chat: { kind: 'direct', id: ANN }, by: ANN, text: 'last' });
  await it.heard('last');
  assert.equal(it.fixture.received.length, 1);
});

test('an edit of an edit is the same message, and a mention of somebody is a name and no address', async () => {
  await using it = await open();
  const chat = { kind: 'direct', id: ANN } as const;
  const id = await it.platform.write({ chat, by: ANN, text: 'one' });
  await it.platform.change(chat, id, 'two');
  const second = await it.heard('two');
  const third = { timestamp: second.editVersion! + 5, message: 'three' };
  it.platform.tell({
    envelope: {
      sourceNumber: ANN,
      timestamp: third.timestamp,
      editMessage: { targetSentTimestamp: second.editVersion, dataMessage: third },
    },
  });
  assert.equal((await it.heard('three')).id, id);
  const at = Date.now();
  it.platform.tell({
    envelope: {
      sourceNumber: ANN,
      timestamp: at,
      dataMessage: {
        timestamp: at,
        message: 'ask \ufffc',
        groupInfo: { groupId: GROUP },
        mentions: [{ name: 'Bob', number: '+15550000003', start: 4, length: 1 }],
      },
    },
  });
  const asked = await it.heard('ask @Bob');
  assert.deepEqual([asked.addressesBot, asked.mentionsOthers], [false, true]);
});

test('a quote carries who wrote what', async () => {
  await using it = await open();
  const id = await it.platform.write({ chat: { kind: 'direct', id: ANN }, by: ANN, text: 'why?' });
  await it.heard('why?');
  await it.connection.send(to(ANN), outbound({ text: 'because', replyTo: { id } }, 't'));
  const [{ quoteTimestamp, quoteAuthor, quoteMessage } = {}] = sent(it.platform) as any[];
  assert.deepEqual([`${quoteTimestamp}:${quoteAuthor}`, quoteMessage], [id, 'why?']);
});

test('a changed safety number is a problem with its remedy, and is over once a message gets through', async () => {
  await using it = await open();
  const results = [{ recipientAddress: { number: ANN }, type: 'IDENTITY_FAILURE' }];
  it.platform.answer('send', () => {
    throw new RpcFailure(-4, 'Untrusted identity', { response: { timestamp: 1, results } });
  });
  await assert.rejects(it.connection.send(to(ANN), outbound({ text: 'x' }, 't')), (error: AppError) => {
    assert.match(error.message, /safety number.*trust -v/s);
    return error.code === 'denied';
  });
  const problem = () => it.fixture.facts.problems?.find(({ kind }) => kind === 'security');
  assert.match(`${problem()?.message} ${problem()?.fix}`, /\+15550000002.*signal-cli -a \+15550000001 trust/s);
  it.platform.answer('send', () => ({ timestamp: Date.now(), results: [{ ...results[0]!, type: 'SUCCESS' }] }));
  await it.connection.send(to(ANN), outbound({ text: 'x' }, 'u'));
  assert.equal(problem(), undefined);
  it.platform.tell({
    envelope: { sourceNumber: ANN, timestamp: 1 },
    exception: { type: 'UntrustedIdentityException' },
  });
  await until(problem, 'the problem of a message that could not be read');
});

test('in a group a message counts as sent once anybody gets it', async () => {
  await using it = await open();
  const [ok, lost] = ['SUCCESS', 'IDENTITY_FAILURE'].map((type, index) => ({
    type,
    recipientAddress: { number: `+1555000000${index + 2}` },
  }));
  it.platform.answer('send', () => ({ timestamp: 1_700_000_000_000, results: [ok, lost] }));
  const { messageIds } = await it.connection.send(to(GROUP, 'group'), outbound({ text: 'x' }, 't'));
  assert.deepEqual(messageIds, ['1700000000000']);
  assert.match(it.fixture.facts.problems?.[0]?.message ?? '', /\+15550000003/);
});

test('what came while the gateway was down is taken, once, and what came before it ever was up is not', async () => {
  await using platform = await startFakeSignal();
  const chat = { kind: 'direct', id: ANN } as const;
  platform.tell({
    envelope: {
      sourceNumber: ANN,
      timestamp: 1,
      serverReceivedTimestamp: Date.now() - 3_600_000,
      dataMessage: { timestamp: 1, message: 'long ago' },
    },
  });
  await using fixture = await testAccount(signal, { config: platform.config });
  const first = await fixture.connect();
  await platform.write({ chat, by: ANN, text: 'one' });
  await until(() => fixture.received.length === 1);
  await first[Symbol.asyncDispose]();
  await platform.write({ chat, by: ANN, text: 'two' });
  await fixture.connect();
  await until(() => fixture.received.length === 2);
  platform.restart(); // ids of the run before are unknown: it sends all it has
  await platform.write({ chat, by: ANN, text: 'three' });
  await until(() => fixture.received.length === 3);
  assert.deepEqual(
    fixture.received.map(({ text }) => text),
    ['one', 'two', 'three'],
  );
});

test('a daemon that does not answer is named with what to do', async () => {
  const platform = await startFakeSignal();
  await platform[Symbol.asyncDispose]();
  await using fixture = await testAccount(signal, { config: { account: ACCOUNT, httpUrl: platform.url } });
  await assert.rejects(fixture.connect(), (error: AppError) => {
    assert.match(error.message, /cannot be reached.*daemon --http/s);
    return error.code === 'unavailable';
  });
});
