/** Sends and channel actions through the protocol: what is delivered, and what is refused with advice. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestGateway } from '../../testing/ws-gateway.ts';

const account = { accountId: 'default', enabled: true, configured: true, running: true, connected: true, problems: [] };

async function harness() {
  const gateway = await startTestGateway();
  gateway.services.setChannels([{ id: 'telegram', label: 'Telegram', accounts: [account] }]);
  return { gateway, sent: gateway.services.sent, client: await gateway.client() };
}

describe('send', () => {
  it('carries text, files, a reply and a thread to a channel', async () => {
    const { gateway, client, sent } = await harness();
    await using _gateway = gateway;
    assert.deepEqual(
      await client.call('send', { to: '42', message: 'hi', channel: 'telegram', idempotencyKey: 's1' }),
      { runId: 's1', messageId: 'p1', channel: 'telegram', chatId: '42' },
    );
    await client.call('send', {
      to: '42',
      message: 'look',
      channel: 'telegram',
      mediaUrl: 'https://x/y.png',
      mediaUrls: ['https://x/y.png', 'https://x/z.png'],
      buffer: Buffer.from('abc').toString('base64'),
      filename: 'a.txt',
      contentType: 'text/plain',
      asVoice: true,
      replyToId: '7',
      threadId: '3',
      sessionKey: 'Agent:Main:X',
      idempotencyKey: 's2',
    });
    const { media, files, asVoice, replyTo, threadId, sessionKey } = sent[1]!;
    assert.deepEqual(
      media,
      [
        { from: 'url', url: 'https://x/y.png' },
        { from: 'url', url: 'https://x/z.png' },
      ],
      'an address given twice is one file',
    );
    assert.deepEqual(
      files?.map(({ data, ...rest }) => ({ ...rest, text: Buffer.from(data).toString() })),
      [{ mime: 'text/plain', name: 'a.txt', text: 'abc' }],
    );
    assert.deepEqual(
      { asVoice, replyTo, threadId, sessionKey },
      { asVoice: true, replyTo: '7', threadId: '3', sessionKey: 'agent:main:x' },
    );
  });

  it('refuses nothing to send, unknown channels and paths of the gateway’s machine', async () => {
    const { gateway, client, sent } = await harness();
    await using _gateway = gateway;
    const refused = async (params: object): Promise<string> =>
      (await client.request('send', { to: '42', idempotencyKey: JSON.stringify(params), ...params })).error.message;
    assert.match(await refused({ message: 'hi', channel: 'pigeon' }), /pigeon/);
    assert.match(await refused({ message: ' ' }), /needs a message or a file/);
    for (const mediaUrl of ['/etc/passwd', 'file:///etc/passwd'])
      assert.match(await refused({ mediaUrl }), /http or https URL/);
    assert.match(await refused({ buffer: '!!!' }), /not base64/);
    assert.equal(sent.length, 0);
  });
});

describe('poll', () => {
  it('asks with whole hours, and no more answers than there are', async () => {
    const { gateway, client, sent } = await harness();
    await using _gateway = gateway;
    const ask = { to: '42', channel: 'telegram', question: 'When?', options: ['Mon', 'Tue'] };
    await client.call('poll', { ...ask, durationSeconds: 4000, idempotencyKey: 'p1' });
    assert.deepEqual(sent[0]!.poll, { question: 'When?', options: ['Mon', 'Tue'], maxSelections: 1, durationHours: 2 });
    assert.match(
      (await client.request('poll', { ...ask, maxSelections: 3, idempotencyKey: 'p2' })).error.message,
      /2 options/,
    );
  });

  it('is for those who may do everything, as is an action', async () => {
    const { gateway } = await harness();
    await using _gateway = gateway;
    const writer = await gateway.client({ scopes: ['operator.write'] });
    for (const [method, params] of [
      ['poll', { to: '1', question: 'q', options: ['a', 'b'], idempotencyKey: 'k' }],
      ['message.action', { channel: 'telegram', action: 'delete', params: {}, idempotencyKey: 'k' }],
    ] as const)
      assert.equal((await writer.request(method, params)).ok, false, method);
  });
});
