/** Pictures at MiniMax. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { startFakeMedia } from '../../testing/fake-media/fake-media-server.ts';
import { BYTES, mediaProviderContract } from '../../testing/media-provider-contract.ts';
import minimax from './index.ts';

mediaProviderContract({
  // The base URL of the chat: only its origin counts.
  provider: minimax,
  capability: 'image',
  basePath: '/anthropic',
  key: { header: 'authorization', before: 'Bearer ' },
  sample: { mime: 'image/png', fileName: 'a.png', model: 'MiniMax-VL-01', prompt: ' What is this? ' },
  wire: {
    path: '/v1/coding_plan/vlm',
    body: { prompt: 'What is this?', image_url: `data:image/png;base64,${BYTES.toString('base64')}` },
    headers: { 'mm-api-source': 'Clawdbot', 'content-type': 'application/json' },
  },
});

describe('minimax', () => {
  const image = minimax.media!.image!;
  const request = {
    data: BYTES,
    mime: 'image/jpeg',
    fileName: 'a.jpg',
    model: '',
    signal: new AbortController().signal,
  };
  const saying = async (status_code: number, status_msg: string): Promise<AppError> => {
    await using server = await startFakeMedia();
    server.reply({
      json: { content: 'not to be read', base_resp: { status_code, status_msg } },
      headers: { 'trace-id': 'trace-77' },
    });
    const error: unknown = await image
      .run(request, { id: 'minimax', baseUrl: server.url, apiKey: 'secret-key-1234', models: [] })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof AppError, String(error));
    return error;
  };

  it('T118 passes on a no that comes with status 200, with its message and trace id', async () => {
    const error = await saying(1004, 'login fail: carry the API secret key secret-key-1234');
    assert.equal(error.code, 'auth');
    assert.match(
      error.message,
      /^minimax image description failed: status 1004, Trace-Id trace-77: login fail: carry the API secret key \*\*\*$/,
    );
    for (const [status, code] of [
      [1000, 'bad_response'],
      [1002, 'rate_limited'],
      [1008, 'denied'],
      [1026, 'denied'],
      [2013, 'invalid'],
      [9999, 'bad_response'],
    ] as const)
      assert.equal((await saying(status, 'no')).code, code);
    assert.ok((await saying(1000, 'no '.repeat(100_000))).message.length < 400);
  });

  it('T119 refuses a gif before anything is sent', async () => {
    await using server = await startFakeMedia();
    await assert.rejects(
      image.run({ ...request, mime: 'image/gif' }, { id: 'minimax', baseUrl: server.url, apiKey: 'k', models: [] }),
      { code: 'unsupported', message: /takes image\/png, image\/jpeg, image\/webp; this is image\/gif/ },
    );
    assert.equal(server.requests.length, 0);
  });

  it('takes the host alone as an address, and image/jpg for what it is', async () => {
    await using server = await startFakeMedia();
    await assert.rejects(image.run(request, { id: 'minimax', baseUrl: '127.0.0.1:1', apiKey: 'k', models: [] }), {
      code: 'network',
    });
    await image.run({ ...request, mime: 'image/jpg' }, { id: 'minimax', baseUrl: server.url, apiKey: 'k', models: [] });
    assert.deepEqual(server.requests[0]?.body, {
      prompt: 'Describe the image.',
      image_url: `data:image/jpeg;base64,${BYTES.toString('base64')}`,
    });
  });
});
