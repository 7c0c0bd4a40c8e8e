/** The bot's messages on Slack: threads, responses to commands, files, and sends whose response was lost. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ChannelConnection, ChatAddress, ReplyPayload } from '../../sdk/index.ts';
import { testAccount, type TestAccount } from '../../testing/channel-account.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { until } from '../../testing/until.ts';
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

async function harness(config: object = {}): Promise<Harness> {
  const platform = await startFakeSlack();
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
const at = (chat: ChatAddress['chat'], more: Partial<ChatAddress> = {}): ChatAddress => ({
  channel: 'slack',
  accountId: 'default',
  chat,
  ...more,
});
const message = (payload: Partial<ReplyPayload>, token = 't1') => ({
  token,
  runId: 'r',
  sessionKey: 'agent:main:main',
  payload: { kind: 'final' as const, ...payload },
});

describe('Slack sends', () => {
  it('G56 answers in the thread it was asked in, and opens one for an answer to a message', async () => {
    await using on = await harness();
    await on.connection.send(
      at(channel, { threadId: '1700000000.000100' }),
      message({ text: 'a', replyTo: { id: '1700000000.000900' } }),
    );
    await on.connection.send(at(channel), message({ text: 'b', replyTo: { id: '1700000000.000900' } }));
    await on.connection.send(at(channel), message({ text: 'c' }));
    assert.deepEqual(
      on.platform.seen(channel).map(({ text, threadId }) => [text, threadId]),
      [
        ['a', '1700000000.000100'],
        ['b', '1700000000.000900'],
        ['c', undefined],
      ],
    );
  });

  it('opens no thread in chats without threads, and answers even if the thread is gone', async () => {
    await using on = await harness({ replyToModeByChatType: { direct: 'off' } });
    await on.connection.send(at(direct), message({ text: 'a', replyTo: { id: '1700000000.000900' } }));
    await on.connection.send(at(channel), message({ text: 'b', replyTo: { id: '1.000001' } }));
    assert.deepEqual(
      [...on.platform.seen(direct), ...on.platform.seen(channel)].map(({ threadId }) => threadId),
      [undefined, undefined],
    );
  });

  it('sends buttons in rows, in the thread, and says what is wrong with others', async () => {
    await using on = await harness();
    const call = { to: at(channel, { threadId: '1700000000.000100' }), signal: AbortSignal.timeout(60_000) };
    const rows = '[[{"text":"Yes","data":"yes"},{"text":"Docs","url":"https://example.com"}]]';
    await on.connection.act!('buttons', { ...call, parameters: { message: '**Sure?**', buttons: rows } });
    const { args } = on.platform.calls.find(({ method }) => method === 'chat.postMessage')!;
    const blocks = JSON.parse(args['blocks']!) as any[];
    assert.deepEqual(
      [args['thread_ts'], blocks[0].text.text, blocks[1].elements.map(({ value, url }: any) => value ?? url)],
      ['1700000000.000100', '*Sure?*', ['yes', 'https://example.com']],
    );
    const wrong = { ...call, parameters: { message: 'x', buttons: '[[{"text":"a"}]]' } };
    await assert.rejects(on.connection.act!('buttons', wrong), { code: 'invalid' });
  });

  it('shows no previews of links, and marks what it says with its token', async () => {
    await using on = await harness();
    await on.connection.send(at(direct), message({ text: 'https://example.com' }));
    const { args } = on.platform.calls.find(({ method }) => method === 'chat.postMessage')!;
    assert.deepEqual(
      [args['channel'], args['unfurl_links'], args['unfurl_media'], JSON.parse(args['metadata']!)],
      ['D0ANN00001', 'false', 'false', { event_type: 'clawdbot_reply', event_payload: { token: 't1' } }],
    );
  });

  it('writes to a person without the right to open chats', async () => {
    await using on = await harness();
    on.platform.forbidden.set('conversations.open', 'im:write');
    await on.connection.send(at(direct), message({ text: 'hello' }));
    assert.equal(on.platform.calls.find(({ method }) => method === 'chat.postMessage')!.args['channel'], ANN);
  });

  it('refuses what is longer than Slack takes', async () => {
    await using on = await harness();
    await assert.rejects(on.connection.send(at(direct), message({ text: 'x'.repeat(40_001), plain: true })), {
      code: 'too_large',
    });
  });

  it('answers a command where only its author sees it, then at the chat when the address is used up', async () => {
    await using on = await harness();
    await on.platform.slash({ by: ANN, chat: channel, text: 'status' });
    const asked = await until(() => on.fixture.received[0]);
    assert.deepEqual(await on.connection.send(asked.address, message({ text: '**fine**' })), {
      messageIds: ['via:t1'],
    });
    assert.deepEqual(on.platform.responses, [
      { path: '/response/1', body: { text: '*fine*', response_type: 'ephemeral', replace_original: false } },
    ]);
    await on.platform.slash({ by: ANN, chat: channel, text: 'status', path: '/response/used' });
    const again = await until(() => on.fixture.received[1]);
    await on.connection.send(again.address, message({ text: 'still only for Ann' }));
    assert.equal(on.platform.workspace.messages.at(-1)!.ephemeralFor, ANN);
  });

  it('answers a command in the chat where that is meant, and never at an address Slack did not give', async () => {
    await using on = await harness({ slashCommand: { ephemeral: false } });
    await on.platform.slash({ by: ANN, chat: channel, text: 'status' });
    await on.connection.send((await until(() => on.fixture.received[0])).address, message({ text: 'fine' }));
    assert.equal(on.platform.responses[0]!.body['response_type'], 'in_channel');
    for (const via of [
      `${Date.now()} ${ANN} http://127.0.0.1:1/x`,
      `${Date.now() - 1_900_000} ${ANN} ${on.platform.origin}/response/1`,
      'nonsense',
    ]) {
      await on.connection.send(at(channel, { via }), message({ text: `at the chat ${via}` }));
      assert.equal(on.platform.responses.length, 1);
    }
    assert.equal(on.platform.seen(channel).length, 3);
  });

  it('finds a lost message and a lost file again, in the chat and in a thread', async () => {
    await using on = await harness();
    await using dir = await tempDir('slack-file');
    const path = join(dir.path, 'report.txt');
    await writeFile(path, 'figures');
    const since = Date.now();
    const thread = at(channel, { threadId: await on.platform.write({ chat: channel, by: ANN, text: 'root' }) });
    const media = { media: [{ from: 'file', path, mime: 'text/plain' }] } as const;
    for (const [to, payload, token] of [
      [at(direct), { text: 'x' }, 'lost-1'],
      [thread, { text: 'y' }, 'lost-2'],
      [at(direct), media, 'lost-3'],
    ] as const) {
      on.platform.failSends('accepted-timeout', 1);
      await assert.rejects(on.connection.send(to, message(payload, token)), { code: 'network' });
      const whole = { kind: 'final' as const, ...payload };
      assert.deepEqual(
        await on.connection.readBack!(to, token, { payload: whole, since }),
        [on.platform.workspace.messages.at(-1)!.ts],
        token,
      );
    }
    assert.deepEqual(
      await on.connection.readBack!(thread, 'never', { payload: { kind: 'final', text: 'z' }, since }),
      [],
    );
    on.platform.forbidden.set('conversations.history', 'im:history');
    assert.equal(
      await on.connection.readBack!(at(direct), 'lost-1', { payload: { kind: 'final', text: 'x' }, since }),
      undefined,
    );
  });

  it('claims nothing about a lost message when Slack hides the tokens', async () => {
    await using on = await harness();
    on.platform.workspace.hidesMetadata = true;
    const since = Date.now();
    const payload = { kind: 'final', text: 'x' } as const;
    assert.deepEqual(
      await on.connection.readBack!(at(direct), 'lost', { payload, since }),
      [],
      'nothing of ours is there',
    );
    on.platform.failSends('accepted-timeout', 1);
    await assert.rejects(on.connection.send(at(direct), message(payload, 'lost')), { code: 'network' });
    assert.equal(await on.connection.readBack!(at(direct), 'lost', { payload, since }), undefined);
  });

  it('tries a file again from the start when it did not get that far', async () => {
    await using on = await harness();
    await using dir = await tempDir('slack-file');
    const path = join(dir.path, 'a.txt');
    await writeFile(path, 'a');
    on.platform.forbidden.set('files.getUploadURLExternal', 'files:write');
    await assert.rejects(
      on.connection.send(at(direct), message({ media: [{ from: 'file', path, mime: 'text/plain' }] })),
      { code: 'denied', message: /files:write/ },
    );
    assert.deepEqual(on.platform.seen(direct), []);
  });

  it('names the scope that is missing, and what to do in a channel it is no member of', async () => {
    await using on = await harness();
    on.platform.forbidden.set('chat.postMessage', 'chat:write');
    await assert.rejects(on.connection.send(at(channel), message({ text: 'x' })), {
      code: 'denied',
      message: /add the scope chat:write/,
    });
  });
});
