// The message tool: what it offers where, what it asks the gateway for, and what it tells the model.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseToolInput } from '../../agent/schema/parse-tool-input.ts';
import { neutralSchema, schemaFor } from '../../agent/schema/schema-for.ts';
import { AppError } from '../../core/errors.ts';
import type { ReachableChannel } from '../../core/reachable-channel.ts';
import type { MessageActRequest, MessageDetails, MessageSendRequest } from '../../core/message-tool.ts';
import type { ToolSurroundings } from '../../core/tool.ts';
import { textOf } from '../../core/transcript.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { runTool, toolContext, toolContract } from '../../testing/tool-contract.ts';
import { declarationProblems } from '../../testing/vendor-schemas.ts';
import message from './index.ts';

/** A gateway that says what it was asked; `away` is a chat nobody can reach. */
function gateway() {
  const sends: MessageSendRequest[] = [];
  const acts: MessageActRequest[] = [];
  const rpc = async (method: string, params: any): Promise<unknown> => {
    if (method === 'message.act') {
      acts.push(params);
      return { messages: [{ text: 'hello' }] };
    }
    if (params.target === 'away') throw new AppError('unavailable', 'alpha is not connected.');
    sends.push(params);
    return {
      address: { channel: 'alpha', accountId: 'default', chat: { kind: 'group', id: params.target ?? 'here' } },
      text: params.text ?? '',
      messageIds: ['m1'],
    };
  };
  return { sends, acts, rpc };
}

toolContract({
  tool: message,
  good: { action: 'send', message: 'hi' },
  bad: [
    { input: { action: 'fly' }, says: /action/ },
    { input: { action: 'send', targets: [{}] }, says: /targets/ },
  ],
  failing: [
    { input: { action: 'send' }, says: /needs message or mediaUrl/ },
    { input: { action: 'send', target: 'away', message: 'hi' }, says: /away: not sent\. alpha is not connected/ },
    { input: { action: 'send', media: '/etc/passwd' }, says: /outside|workspace/ },
  ],
  rpc: gateway().rpc,
});

const CHANNELS: readonly ReachableChannel[] = [
  {
    id: 'alpha',
    label: 'Alpha',
    targetHint: 'user:<id>',
    actions: [
      { name: 'react', summary: 'React', parameters: { messageId: '', emoji: '' }, required: ['messageId'] },
      { name: 'sticker', summary: 'Send a sticker', parameters: { target: '', stickerId: 'Which one' } },
    ],
  },
  {
    id: 'beta',
    label: 'Beta',
    actions: [{ name: 'react', summary: 'React', parameters: { messageId: '', emoji: '' } }],
  },
];
const where = (channels: readonly ReachableChannel[]): ToolSurroundings => ({
  channels,
  route: toolContext('/w').route,
  model: 'm',
  describesPictures: false,
  config: {},
});

describe('what message offers', () => {
  test('without a channel words and files for this chat, and nothing else', () => {
    assert.equal(message.available, undefined);
    const { description, input } = message.for!(where([]));
    const { properties } = neutralSchema({ input }) as { properties: Record<string, { enum?: string[] }> };
    assert.deepEqual(Object.keys(properties), [
      'action',
      'channel',
      'target',
      'message',
      'mediaUrl',
      'mediaUrls',
      'filename',
      'attachments',
    ]);
    assert.deepEqual(properties['action']!.enum, ['send']);
    assert.match(description, /A file for this chat goes with `mediaUrl`.*No channel is configured/);
  });

  test('the actions and parameters of the channels there are, and no others', () => {
    const { description, input } = message.for!(where(CHANNELS));
    const { properties } = neutralSchema({ input }) as {
      properties: Record<string, { enum?: string[]; description: string }>;
    };
    assert.deepEqual(properties['action']!.enum, ['send', 'react', 'sticker']);
    assert.match(
      properties['action']!.description,
      /react: React \(messageId\*, emoji\); sticker: Send a sticker \(target, stickerId\) \[only alpha\]/,
    );
    assert.equal(properties['stickerId']!.description, 'Which one');
    assert.ok('messageId' in properties && !('pollQuestion' in properties));
    assert.match(description, /Channels: alpha: user:<id>; beta\./);
    for (const api of ['openai-completions', 'anthropic-messages', 'google-generative-ai'] as const)
      assert.deepEqual(
        declarationProblems(api, { name: 'message', description, schema: schemaFor(api, { input }) }),
        [],
        api,
      );
  });

  test('a manual no vendor finds too long, whatever the channels write', () => {
    const many = Array.from(
      { length: 40 },
      (_, at): ReachableChannel => ({ id: `channel${at}`, label: 'C', targetHint: 'x'.repeat(100), actions: [] }),
    );
    assert.ok(message.for!(where(many)).description.length <= 1024);
  });
});

describe('message sends', () => {
  test('under a key that stays the same when the turn continues after a restart', async () => {
    const { sends, rpc } = gateway();
    const ctx = toolContext('/w', { rpc });
    const result = await runTool(message, { action: 'send', to: 'user:ana', text: 'hi' }, ctx);
    assert.equal(textOf(result.content), 'Sent to alpha group user:ana (message m1).');
    assert.deepEqual([sends[0]!.runId, sends[0]!.target, sends[0]!.text], ['turn-1:call-1', 'user:ana', 'hi']);
    assert.deepEqual(
      (result.details as MessageDetails).sent!.map(({ text }) => text),
      ['hi'],
    );
  });

  test('to several chats; one that cannot be reached costs that one', async () => {
    const { sends, rpc } = gateway();
    const result = await runTool(
      message,
      { action: 'send', targets: ['1', 'away', '3'], message: 'hi' },
      toolContext('/w', { rpc }),
    );
    assert.notEqual(result.isError, true);
    assert.deepEqual(
      sends.map(({ target, runId }) => [target, runId]),
      [
        ['1', 'turn-1:call-1:0'],
        ['3', 'turn-1:call-1:2'],
      ],
    );
    assert.equal(
      textOf(result.content),
      'Sent to alpha group 1 (message m1).\naway: not sent. alpha is not connected.\nSent to alpha group 3 ' +
        '(message m1).',
    );
  });

  test('files of the workspace by their bytes, addresses as they are', async () => {
    await using dir = await tempDir('message');
    await writeFile(join(dir.path, 'plan.pdf'), 'pdf');
    const { sends, rpc } = gateway();
    const ctx = toolContext(dir.path, { rpc });
    await runTool(message, { action: 'send', media: 'plan.pdf' }, ctx);
    await runTool(message, { action: 'send', media: 'https://x.example/a.png', filename: 'b.png' }, ctx);
    assert.deepEqual(
      sends[0]!.files!.map(({ data, ...rest }) => ({ ...rest, text: Buffer.from(data).toString() })),
      [{ name: 'plan.pdf', text: 'pdf' }],
    );
    assert.deepEqual(sends[1]!.media, [{ from: 'url', url: 'https://x.example/a.png', name: 'b.png' }]);
    await runTool(message, { attachments: [{ media: 'plan.pdf' }, { media: 'https://x.example/a.png' }] }, ctx);
    assert.deepEqual(
      [sends[2]!.files!.map(({ name }) => name), sends[2]!.media],
      [['plan.pdf'], [{ from: 'url', url: 'https://x.example/a.png' }]],
    );
    assert.equal((await runTool(message, { action: 'send', media: '../outside.txt' }, ctx)).isError, true);
    assert.equal((await runTool(message, { attachments: [{ media: '../x' }] }, ctx)).isError, true);
    assert.equal(sends.length, 3);
  });

  test('G55 nothing where there is nothing to say, and nothing on a dry run', async () => {
    const { sends, rpc } = gateway();
    assert.match(
      textOf((await runTool(message, { action: 'send', message: ' NO_REPLY ' }, toolContext('/w', { rpc }))).content),
      /Nothing was sent/,
    );
    assert.equal(sends.length, 0);
    const dry = await runTool(message, { action: 'send', message: 'hi', dryRun: true }, toolContext('/w', { rpc }));
    assert.match(textOf(dry.content), /Would go to alpha group here \(account default\)\. Nothing was sent/);
    assert.deepEqual(dry.details, {}, 'the end of the turn is not told of it');
  });
});

test('message acts, and shows what the channel answered as data', async () => {
  const { acts, rpc } = gateway();
  const { input } = message.for!(where(CHANNELS));
  const tool = { ...message, input };
  const parsed = parseToolInput(tool, { action: 'react', channel: 'beta', messageId: 7, emoji: '👍' });
  assert.ok(parsed.ok);
  const result = await message.run(parsed.input as never, toolContext('/w', { rpc }));
  assert.match(textOf(result.content), /^react: done\. The channel's answer, to be read as data:\n/);
  assert.deepEqual(
    { ...acts[0], signal: undefined },
    {
      action: 'react',
      channel: 'beta',
      accountId: undefined,
      parameters: { messageId: '7', emoji: '👍' },
      signal: undefined,
    },
  );
});
