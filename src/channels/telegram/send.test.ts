/** Sending: topics, answers, files, buttons, edits, and refusals of Telegram. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ChannelConnection } from '../../core/channel.ts';
import type { ChatAddress } from '../../core/message.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import { present } from '../../sdk/index.ts';
import { testAccount, type TestAccount } from '../../testing/channel-account.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { until } from '../../testing/until.ts';
import { type FakeTelegram } from './fake-telegram.ts';
import { startFakeTelegram } from './fake.ts';
import telegram from './index.ts';

const at = (id: string, threadId?: string): ChatAddress => ({
  channel: 'telegram',
  accountId: 'default',
  chat: { kind: Number(id) > 0 ? 'direct' : 'group', id },
  ...present({ threadId: threadId || undefined }),
});
const message = (payload: Partial<ReplyPayload>) => ({
  token: 't',
  runId: 'r',
  sessionKey: 's',
  payload: { kind: 'final' as const, ...payload },
});

interface Harness extends AsyncDisposable {
  readonly platform: FakeTelegram;
  readonly fixture: TestAccount;
  readonly connection: ChannelConnection;
  last(method: string): any;
}

async function harness(config: object = {}): Promise<Harness> {
  const platform = await startFakeTelegram({ forums: ['-1002'] });
  const fixture = await testAccount(telegram, {
    config: { ...platform.config, ...config },
    credentials: platform.credentials,
  });
  const connection = await fixture.connect();
  return {
    platform,
    fixture,
    connection,
    last: (method) => platform.calls.findLast((call) => call.method === method)?.params,
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}

test('what is being written is a draft in the topics of a direct chat, and nowhere else', async () => {
  await using context = await harness();
  const { connection, last } = context;
  assert.equal(await connection.draft!(at('501', '7'), message({ text: 'so **far**' })), true);
  const { chat_id, message_thread_id, draft_id, text, parse_mode } = last('sendMessageDraft');
  assert.deepEqual([chat_id, message_thread_id, text, parse_mode], [501, 7, 'so <b>far</b>', 'HTML']);
  assert.ok(Number.isInteger(draft_id) && draft_id > 0);
  await connection.draft!(at('501', '7'), message({ text: 'so far, so good' }));
  assert.equal(last('sendMessageDraft').draft_id, draft_id);
  for (const elsewhere of [at('501'), at('-1002', '42')])
    assert.equal(await connection.draft!(elsewhere, message({ text: 'x' })), false);
});

test('G216 a topic is named, the general one only when typing', async () => {
  await using context = await harness();
  const { connection, last } = context;
  await connection.send(at('-1002', '42'), message({ text: 'in the topic' }));
  assert.equal(last('sendMessage').message_thread_id, 42);
  await connection.send(at('-1002', '1'), message({ text: 'in general' }));
  assert.equal(last('sendMessage').message_thread_id, undefined);
  await connection.typing!(at('-1002', '1'));
  assert.equal(last('sendChatAction').message_thread_id, 1);
  await connection.send(at('501', '1'), message({ text: 'a topic of a direct chat' }));
  assert.equal(last('sendMessage').message_thread_id, 1);
});

test('a direct topic that is gone does not lose the answer; one of a group is not swapped for another', async () => {
  await using context = await harness();
  const gone = { error_code: 400, description: 'Bad Request: message thread not found' };
  context.platform.refuse('sendMessage', gone);
  await context.connection.send(at('501', '9'), message({ text: 'all the same' }));
  assert.equal(context.platform.seen({ kind: 'direct', id: '501' })[0]?.text, 'all the same');
  context.platform.refuse('sendMessage', gone);
  await assert.rejects(context.connection.send(at('-1002', '42'), message({ text: 'x' })), { code: 'not_found' });
});

test('every refusal has its kind', async () => {
  await using context = await harness();
  const cases = [
    [403, 'Forbidden: bot was kicked from the supergroup chat', 'denied'],
    [400, 'Bad Request: chat not found', 'not_found'],
    [400, 'Bad Request: not enough rights to send text messages to the chat', 'denied'],
    [413, 'Request Entity Too Large', 'too_large'],
    [400, 'Bad Request: something new', 'invalid'],
    [429, 'Too Many Requests: retry after 3', 'rate_limited'],
    [500, 'Internal Server Error: restart', 'unavailable'],
    [502, 'Bad Gateway', 'network'],
  ] as const;
  for (const [error_code, description, code] of cases) {
    context.platform.refuse('sendMessage', { error_code, description, parameters: { retry_after: 3 } });
    await assert.rejects(
      context.connection.send(at('501'), message({ text: 'x' })),
      (error: any) => error.code === code && (code !== 'rate_limited' || error.retryAfterMs === 3000),
      description,
    );
  }
  assert.equal(context.platform.seen({ kind: 'direct', id: '501' }).length, 0);
  context.platform.refuse('sendMessage', '<html>a proxy</html>');
  await assert.rejects(context.connection.send(at('501'), message({ text: 'x' })), { code: 'network' });
});

test('Markdown of every kind is taken as it is, without a second try', async () => {
  await using context = await harness();
  const text =
    '# A **bold** heading\n\n> quoted\n>> twice\n\n1. one\n   - two `a<b`\n\n[**a** ' +
    'link](https://example.com/?a=1&b="2")\n\n```ts\nif (a < b && c > d) "x";\n```\n\n| a | b ' +
    '|\n|---|---|\n| 1 | <2> |\n\n~~gone~~ *slanted* <script>no</script> &amp;';
  const before = context.platform.calls.filter(({ method }) => method === 'sendMessage').length;
  await context.connection.send(at('501'), message({ text }));
  assert.equal(context.platform.calls.filter(({ method }) => method === 'sendMessage').length - before, 1);
  const { text: shown, raw } = context.platform.seen({ kind: 'direct', id: '501' })[0]!;
  for (const words of [
    'A bold heading',
    'twice',
    'a<b',
    'a link',
    'if (a < b && c > d) "x";',
    '<2>',
    '<script>no</script>',
  ])
    assert.ok(shown.includes(words), `${words} in ${raw}`);
});

test('one answer is one request', async () => {
  await using context = await harness();
  await until(() => context.platform.calls.some(({ method }) => method === 'deleteMyCommands'));
  const before = context.platform.calls.length;
  await context.connection.send(at('501'), message({ text: 'one' }));
  assert.deepEqual(
    context.platform.calls.slice(before).map(({ method }) => method),
    ['sendMessage'],
  );
});

test('a file goes out as what it is', async () => {
  await using context = await harness();
  await using dir = await tempDir('telegram-media');
  const path = join(dir.path, 'file.bin');
  await writeFile(path, 'bytes');
  const cases = {
    'image/png': 'sendPhoto',
    'image/gif': 'sendAnimation',
    'video/mp4': 'sendVideo',
    'audio/mpeg': 'sendAudio',
    'application/pdf': 'sendDocument',
    'image/svg+xml': 'sendDocument',
  };
  for (const [mime, method] of Object.entries(cases)) {
    await context.connection.send(
      at('501'),
      message({ text: '**see** it', media: [{ from: 'file', path, mime, name: 'file.bin' }] }),
    );
    assert.equal(context.platform.calls.at(-1)!.method, method, mime);
  }
  assert.deepEqual(
    context.platform.seen({ kind: 'direct', id: '501' }).map(({ text }) => text),
    Object.keys(cases).map(() => 'see it'),
  );
  context.platform.refuse('sendPhoto', { error_code: 400, description: 'Bad Request: PHOTO_INVALID_DIMENSIONS' });
  await context.connection.send(at('501'), message({ media: [{ from: 'file', path, mime: 'image/png' }] }));
  assert.equal(context.platform.calls.at(-1)!.method, 'sendDocument');
});

test('links show no preview where the settings say so', async () => {
  await using context = await harness({ linkPreview: false });
  await context.connection.send(at('501'), message({ text: 'https://example.com' }));
  assert.deepEqual(context.last('sendMessage').link_preview_options, { is_disabled: true });
});

test('the caption of a file is changed as a caption', async () => {
  await using context = await harness();
  await using dir = await tempDir('telegram-media');
  await writeFile(join(dir.path, 'a.pdf'), 'x');
  const {
    messageIds: [id],
  } = await context.connection.send(
    at('501'),
    message({ text: 'old', media: [{ from: 'file', path: join(dir.path, 'a.pdf'), mime: 'application/pdf' }] }),
  );
  await context.connection.edit!(at('501'), id!, message({ text: 'new' }));
  assert.equal(context.platform.seen({ kind: 'direct', id: '501' })[0]?.text, 'new');
});

test('a reaction Telegram has not is refused with those it has; spellings of one are one', async () => {
  await using context = await harness();
  const {
    messageIds: [id],
  } = await context.connection.send(at('501'), message({ text: 'x' }));
  await assert.rejects(context.connection.react!(at('501'), id!, '✅'), {
    code: 'invalid',
    message: /does not support the reaction ✅; it supports 👍/,
  });
  await context.connection.react!(at('501'), id!, '❤️');
  await context.connection.react!(at('501'), id!, '👍🏽');
  assert.deepEqual(context.platform.seen({ kind: 'direct', id: '501' })[0]?.reactions, ['👍']);
});

test('a poll has its answers and its time', async () => {
  await using context = await harness();
  const { messageIds, pollId } = await context.connection.poll!(at('-1002', '42'), {
    question: 'Lunch?',
    options: ['Soup', 'Salad'],
    maxSelections: 2,
    durationHours: 2,
  });
  const {
    options,
    allows_multiple_answers: several,
    open_period: open,
    message_thread_id: thread,
  } = context.last('sendPoll');
  assert.deepEqual(
    [messageIds.length, typeof pollId, options, several, open, thread],
    [1, 'string', [{ text: 'Soup' }, { text: 'Salad' }], true, 7200, 42],
  );
  await assert.rejects(
    context.connection.poll!(at('501'), { question: 'q'.repeat(301), options: ['a', 'b'], maxSelections: 1 }),
    { code: 'invalid' },
  );
});

test('actions do what they say, and name what is missing', async () => {
  await using context = await harness();
  const { connection, last } = context;
  const act = (
    action: string,
    parameters: Record<string, unknown>,
    to: ChatAddress | undefined = at('-1002'),
  ): Promise<any> => connection.act!(action, present({ parameters, signal: AbortSignal.timeout(60_000), to }));
  await act('buttons', {
    message: 'Sure?',
    buttons: '[[{"text":"Yes","data":"yes"},{"text":"Docs","url":"https://example.com"}]]',
  });
  assert.deepEqual(last('sendMessage').reply_markup, {
    inline_keyboard: [
      [
        { text: 'Yes', callback_data: 'yes' },
        { text: 'Docs', url: 'https://example.com' },
      ],
    ],
  });
  await act('pin', { messageId: '5' });
  await act('unpin', {});
  assert.deepEqual([last('pinChatMessage').message_id, last('unpinChatMessage').message_id], [5, undefined]);
  assert.match((await act('thread-create', { name: 'Invoices' })).threadId, /^\d+$/);
  await act('thread-edit', { threadId: '42', closed: true });
  assert.equal(last('closeForumTopic').message_thread_id, 42);
  assert.equal((await act('member-info', { userId: '502' })).status, 'member');
  await act('sticker', { stickerId: 'file-of-a-sticker' });
  assert.equal(last('sendSticker').sticker, 'file-of-a-sticker');
  for (const [action, parameters] of [
    ['buttons', { message: 'x' }],
    ['buttons', { message: 'x', buttons: 'no json' }],
    ['buttons', { message: 'x', buttons: [[{ text: 'a', data: 'd'.repeat(65) }]] }],
    ['pin', {}],
    ['pin', { messageId: 'abc' }],
    ['thread-edit', { threadId: '42' }],
  ] as const) {
    await assert.rejects(act(action, parameters), { code: 'invalid' }, action);
  }
  await assert.rejects(act('read', {}), { code: 'unsupported' });
  for (const { name, required = [] } of telegram.actions!)
    if (required.length > 0) await assert.rejects(act(name, {}), { code: 'invalid' }, name);
});

test('a press stops its spinner once it is taken', async () => {
  await using context = await harness();
  context.platform.push({
    callback_query: {
      id: 'cb7',
      from: { id: 501, is_bot: false, first_name: 'Ann' },
      data: 'yes',
      message: { message_id: 4, date: 1, chat: { id: 501, type: 'private' } },
    },
  });
  await until(() => context.last('answerCallbackQuery'));
  assert.deepEqual(
    [context.fixture.received[0]?.text, context.last('answerCallbackQuery').callback_query_id],
    ['callback_data: yes', 'cb7'],
  );
});

test('a file that is gone, or elsewhere, is not fetched', async () => {
  await using context = await harness();
  const get = (ref: string) =>
    context.connection.download!(ref, { maxBytes: 100, signal: AbortSignal.timeout(60_000) });
  await assert.rejects(get('unknown'), { code: 'invalid' });
  await assert.rejects(get(context.platform.addFile(Buffer.from('x'), '/etc/passwd')), { code: 'not_found' });
  await assert.rejects(get(context.platform.addFile(Buffer.from('x'), 'a/../../b')), { code: 'not_found' });
});
