/** `message …` as a script uses it: what is asked of the gateway, and what is printed. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { tempDir } from '../../testing/temp-dir.ts';
import { runCli } from '../cli.ts';
import { fakeTerminal } from '../fake.ts';

const SENT = { runId: 'k', messageId: '7', channel: 'alpha', chatId: '42' };
const run = async (argv: string[], answers: Record<string, unknown> = { send: SENT }, stdin = '') => {
  const io = fakeTerminal({ answers, stdin });
  return { code: await runCli(['message', ...argv], io), io };
};

it('send: one request with everything, and one line', async () => {
  const { io, code } = await run([
    'send',
    '--to',
    '42',
    '--message',
    'hi',
    '--channel',
    'alpha',
    '--account',
    'work',
    '--thread',
    '3',
    '--reply-to',
    '5',
    '--voice',
    '--media',
    'https://x.example/a.png',
    '--key',
    'k',
  ]);
  assert.equal(code, 0);
  assert.deepEqual(io.requests, [
    {
      method: 'send',
      params: {
        to: '42',
        channel: 'alpha',
        accountId: 'work',
        threadId: '3',
        replyToId: '5',
        asVoice: true,
        message: 'hi',
        mediaUrls: ['https://x.example/a.png'],
        idempotencyKey: 'k',
      },
    },
  ]);
  assert.deepEqual(io.lines, ['Sent to alpha 42: message 7.']);
});

it('send: files of this machine by their bytes, words with the first; words from standard input', async () => {
  await using dir = await tempDir('message-cli');
  const [a, b] = [join(dir.path, 'a.png'), join(dir.path, 'b.bin')];
  await writeFile(a, 'A');
  await writeFile(b, 'B');
  const { io } = await run(
    ['send', '--to', '42', '--message', '-', '--media', a, '--media', b, '--key', 'k', '--json'],
    { send: SENT },
    'from a pipe\n',
  );
  assert.deepEqual(
    io.requests.map(({ params }) => params),
    [
      {
        to: '42',
        message: 'from a pipe',
        buffer: Buffer.from('A').toString('base64'),
        filename: 'a.png',
        contentType: 'image/png',
        idempotencyKey: 'k',
      },
      { to: '42', buffer: Buffer.from('B').toString('base64'), filename: 'b.bin', idempotencyKey: 'k:1' },
    ],
  );
  assert.deepEqual(JSON.parse(io.lines[0]!), SENT);
  assert.match(
    (await run(['send', '--to', '42', '--media', join(dir.path, 'gone')])).io.errors.join(),
    /file not found/,
  );
});

it('send: nothing to send, and a dry run, ask nothing', async () => {
  const empty = await run(['send', '--to', '42']);
  assert.match(empty.io.errors.join(), /give --message, --media or both/);
  const dry = await run(['send', '--to', '42', '--message', 'hi', '--key', 'k', '--dry-run']);
  assert.deepEqual(JSON.parse(dry.io.lines[0]!), { to: '42', message: 'hi', idempotencyKey: 'k' });
  assert.deepEqual([...empty.io.requests, ...dry.io.requests], []);
});

it('poll: every answer given', async () => {
  const { io } = await run(
    [
      'poll',
      '--to',
      '42',
      '--question',
      'When?',
      '--option',
      'Mon, early',
      '--option',
      'Tue',
      '--multi',
      '--hours',
      '2',
      '--key',
      'k',
    ],
    { poll: { ...SENT, pollId: 'q' } },
  );
  assert.deepEqual(io.requests[0]!.params, {
    to: '42',
    question: 'When?',
    options: ['Mon, early', 'Tue'],
    maxSelections: 2,
    durationHours: 2,
    idempotencyKey: 'k',
  });
  assert.match(
    (await run(['poll', '--to', '42', '--question', 'q', '--option', 'a'])).io.errors.join(),
    /at least two/,
  );
});

it('actions: by their own name and by any other, on the only channel there is', async () => {
  const one = {
    'channels.status': {
      channelOrder: ['alpha', 'beta'],
      channels: { alpha: { configured: true }, beta: { configured: false } },
    },
    'message.action': { ok: true },
  };
  const react = await run(['react', '--to', '42', '--message-id', '7', '--emoji', ''], one);
  assert.deepEqual(
    { ...react.io.requests[1]!.params, idempotencyKey: '' },
    { channel: 'alpha', action: 'react', params: { target: '42', messageId: '7', emoji: '' }, idempotencyKey: '' },
  );
  const thread = await run(['thread', 'create', '--channel', 'beta', '--to', '42', '--name', 'Plans'], one);
  assert.deepEqual(
    [thread.io.requests[0]!.params.action, thread.io.requests[0]!.params.params],
    ['thread-create', { target: '42', name: 'Plans' }],
  );
  const any = await run(
    ['action', 'sticker', '--channel', 'beta', '--to', '42', '--param', 'stickerId=a=b', '--param', 'silent=true'],
    one,
  );
  assert.deepEqual(any.io.requests[0]!.params.params, { target: '42', stickerId: 'a=b', silent: 'true' });
  const two = await run(['pins', '--to', '42'], {
    'channels.status': {
      channelOrder: ['alpha', 'beta'],
      channels: { alpha: { configured: true }, beta: { configured: true } },
    },
  });
  assert.match(two.io.errors.join(), /Set --channel: alpha \| beta/);
});
