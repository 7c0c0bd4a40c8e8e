/** The contract suite of media abilities, for every vendor protocol. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError, type ErrorCode } from '../core/errors.ts';
import type { MediaAnswer, MediaRequest } from '../core/media-provider.ts';
import type { Provider, ProviderSettings } from '../core/provider.ts';
import type { MediaCapability } from '../core/understanding.ts';
import { startFakeMedia, type FakeMediaServer, type RecordedMedia } from './fake-media/fake-media-server.ts';
import type { FakeMediaReply } from './fake-media/wire.ts';

export interface MediaSubject {
  readonly provider: Provider;
  readonly capability: MediaCapability;
  /** What follows the fake server's address. */
  readonly basePath: string;
  /** Asked for with no settings but address and key; `BYTES` is the file. */
  readonly sample: Pick<MediaRequest, 'mime' | 'fileName' | 'model'> & Partial<MediaRequest>;
  /** What the vendor then receives: path with query, and the body field by field (see `RecordedMedia`). */
  readonly wire: { readonly path: string; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> };
  /** The header that carries the key, lower case, and what stands before it. */
  readonly key: { readonly header: string; readonly before?: string };
  readonly settings?: Partial<ProviderSettings>;
}

const KEY = 'sk-test-0123456789abcdef';
export const BYTES = Buffer.from([0, 255, 1, 254, 2, 253, 10, 13]);

interface Changes {
  readonly request?: Partial<MediaRequest>;
  readonly settings?: Partial<ProviderSettings>;
}

export function mediaProviderContract(subject: MediaSubject): void {
  const { provider, capability, basePath, sample, wire, key } = subject;
  const handler = provider.media?.[capability];
  assert.ok(handler, `${provider.id} has no ${capability}`);

  const settingsFor = (url: string, more: Partial<ProviderSettings> = {}): ProviderSettings => ({
    id: provider.id,
    baseUrl: `${url}${basePath}`,
    apiKey: KEY,
    models: [],
    ...subject.settings,
    ...more,
  });
  const run = (server: Pick<FakeMediaServer, 'url'>, { request, settings }: Changes = {}): Promise<MediaAnswer> =>
    handler.run(
      { data: BYTES, signal: new AbortController().signal, ...sample, ...request },
      settingsFor(server.url, settings),
    );
  const sent = async (changes?: Changes): Promise<RecordedMedia> => {
    await using server = await startFakeMedia();
    await run(server, changes);
    assert.equal(server.requests.length, 1);
    return server.requests[0]!;
  };
  const failing = async (reply: FakeMediaReply, changes?: Changes): Promise<AppError> => {
    await using server = await startFakeMedia();
    server.reply(reply);
    const error: unknown = await run(server, changes).then(
      (answer) => assert.fail(`answered ${answer.text}`),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof AppError, `expected an AppError, got ${String(error)}`);
    assert.equal(server.requests.length, 1, 'nothing is retried at this level');
    assert.ok(!everythingIn(error).includes(KEY), 'the key is never repeated');
    return error;
  };
  /** Nothing reaches the vendor. */
  const refused = async (changes: Changes, expected: object): Promise<void> => {
    await using server = await startFakeMedia();
    await assert.rejects(run(server, changes), { name: 'AppError', ...expected });
    assert.equal(server.requests.length, 0);
  };

  describe(`media contract: ${capability} by ${provider.id}`, () => {
    it('sends exactly the request the vendor documents', async () => {
      const request = await sent();
      assert.equal(request.method, 'POST');
      assert.equal(request.path, wire.path);
      assert.deepEqual(request.body, wire.body);
      assert.equal(request.headers[key.header], `${key.before ?? ''}${KEY}`);
      assert.ok(Number(request.headers['content-length']) > 0, 'its length is told beforehand');
      for (const [name, value] of Object.entries(wire.headers ?? {})) assert.equal(request.headers[name], value);
    });

    it('gives the text trimmed, and the model that was asked', async () => {
      await using server = await startFakeMedia();
      server.reply({ text: '  what time is it in New York? \n' });
      const answer = await run(server);
      assert.equal(answer.text, 'what time is it in New York?');
      assert.ok(answer.model);
    });

    it('asks its default model when none is named, or refuses before anything is sent', async () => {
      if (!handler.defaultModel)
        return refused({ request: { model: ' ' } }, { code: 'invalid', message: /has no default model/ });
      await using server = await startFakeMedia();
      assert.equal((await run(server, { request: { model: '  ' } })).model, handler.defaultModel);
    });

    it('lets headers of the settings win in any case, also over the key', async () => {
      for (const name of [
        key.header,
        key.header.toUpperCase(),
        key.header.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
      ]) {
        const request = await sent({ settings: { headers: { [name]: 'Mine 1234567890', 'X-Extra': 'yes' } } });
        assert.equal(request.headers[key.header], 'Mine 1234567890');
        assert.equal(request.headers['x-extra'], 'yes');
      }
    });

    it("needs no key where a header of the settings stands in for it, or at a server of one's own", async () => {
      const { apiKey: _, ...settings } = settingsFor('');
      await using server = await startFakeMedia();
      const request = { data: BYTES, signal: new AbortController().signal, ...sample };
      const baseUrl = `${server.url}${basePath}`;
      await handler.run(request, { ...settings, baseUrl });
      await handler.run(request, { ...settings, baseUrl, headers: { [key.header]: 'own' } });
      assert.deepEqual(
        server.requests.map(({ headers }) => headers[key.header]),
        [undefined, 'own'],
      );
    });

    if (provider.envKeys)
      it('asks for a key before it goes to the vendor, unless a header stands in for it', async () => {
        const request = { data: BYTES, ...sample, signal: AbortSignal.abort() };
        const home = { id: provider.id, models: [] };
        await assert.rejects(handler.run(request, home), {
          code: 'auth',
          message: new RegExp(`Set ${provider.envKeys?.[0]}`),
        });
        await assert.rejects(handler.run(request, { ...home, headers: { [key.header.toUpperCase()]: 'own' } }), {
          code: 'aborted',
        });
      });

    it('sends the key as a bearer where the settings say so', async () => {
      assert.equal((await sent({ settings: { authHeader: true } })).headers.authorization, `Bearer ${KEY}`);
    });

    it('takes slashes off the end of the address and keeps its query', async () => {
      await using server = await startFakeMedia();
      await run(server, { settings: { baseUrl: `${server.url}${basePath}///` } });
      assert.equal(server.requests[0]?.path, wire.path);
    });

    it('refuses an address it could not use, and does not repeat it', async () => {
      await refused({ settings: { baseUrl: 'ftp://example.test/v1' } }, { code: 'invalid', message: /http:\/\// });
      await refused(
        { settings: { baseUrl: 'https://user:hunter22@example.test' } },
        { code: 'invalid', message: /^(?!.*hunter22)/ },
      );
      await refused({ settings: { apiKey: 'two\r\nlines' } }, { code: 'invalid', message: /^(?!.*lines)/ });
      await refused({ settings: { headers: { 'bad name': 'x' } } }, { code: 'invalid', message: /"bad name"/ });
    });

    it('carries a file that is longer than one piece', async () => {
      const data = Buffer.alloc(1_000_001, 'ab\xff', 'latin1');
      assert.ok(JSON.stringify((await sent({ request: { data } })).body).includes(data.toString('base64')));
    });

    if (handler.accepts)
      it('refuses a type it does not take before anything is sent', () =>
        refused({ request: { mime: 'application/x-odd' } }, { code: 'unsupported', message: /application\/x-odd/ }));

    const replies: readonly (readonly [FakeMediaReply, ErrorCode, RegExp])[] = [
      [{ status: 400 }, 'invalid', /failed \(HTTP 400\): \S/],
      [
        { status: 400, body: 'API key not valid. Please pass a valid API key.' },
        'auth',
        /failed \(HTTP 400\): API key not valid/,
      ],
      [
        { status: 400, body: "This model's maximum context length is 128000 tokens." },
        'too_large',
        /failed \(HTTP 400\)/,
      ],
      [{ status: 401 }, 'auth', /failed \(HTTP 401\): \S/],
      [{ status: 402 }, 'denied', /failed \(HTTP 402\)/],
      [{ status: 403 }, 'denied', /failed \(HTTP 403\)/],
      [{ status: 404 }, 'not_found', /failed \(HTTP 404\)/],
      [{ status: 413 }, 'too_large', /failed \(HTTP 413\)/],
      [{ status: 429 }, 'rate_limited', /failed \(HTTP 429\)/],
      [{ status: 500 }, 'bad_response', /failed \(HTTP 500\)/],
      [{ status: 529 }, 'overloaded', /failed \(HTTP 529\)/],
      [{ status: 503 }, 'overloaded', /failed \(HTTP 503\)/],
      [{ status: 504 }, 'timeout', /failed \(HTTP 504\)/],
      [
        { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
        'bad_response',
        /failed \(HTTP 302\): no reason given/,
      ],
      [
        { status: 500, body: `bad key ${KEY},\n\n\t and Bearer ${KEY}` },
        'bad_response',
        /HTTP 500\): bad key \*\*\*, and Bearer/,
      ],
      [{ text: '' }, 'bad_response', /gave no (text|transcript)/],
      [{ text: ' \n ' }, 'bad_response', /gave no (text|transcript)/],
      [{ raw: '<html>It works!</html>' }, 'bad_response', /invalid response: <html>It works!/],
      [{ raw: '{"text":' }, 'bad_response', /invalid response/],
      [{ raw: '' }, 'bad_response', /invalid response/],
      [{ raw: `{"surprise":"${KEY}"}` }, 'bad_response', /invalid response|gave no/],
      [{ json: null }, 'bad_response', /invalid response/],
      [{ json: [] }, 'bad_response', /invalid response/],
      [{ endless: true }, 'bad_response', /exceeded \d+ bytes/],
      [{ cut: true }, 'network', /ended early/],
    ];
    for (const [reply, code, words] of replies)
      it(`answers ${code} for ${JSON.stringify(reply)}`, async () => {
        const error = await failing(reply);
        assert.equal(error.code, code, error.message);
        assert.match(error.message, words);
        assert.ok(error.message.includes(provider.id));
      });

    it('repeats a long complaint up to 300 characters', async () => {
      const { message } = await failing({ status: 500, body: `<p>${'sorry '.repeat(20_000)}</p>` });
      assert.equal(message.slice(message.indexOf('): ') + 3).length, 300);
    });

    it('repeats no secret of the headers', async () => {
      const error = await failing(
        { status: 401, body: 'no such token: hush-hush-1234' },
        { settings: { headers: { Authorization: 'Token hush-hush-1234' } } },
      );
      assert.ok(!everythingIn(error).includes('hush-hush'));
    });

    it('passes on how long to wait', async () => {
      assert.equal((await failing({ status: 429, headers: { 'retry-after': '3' } })).retryAfterMs, 3000);
    });

    for (const [code, reason] of [
      ['timeout', new DOMException('too slow', 'TimeoutError')],
      ['aborted', undefined],
    ] as const)
      it(`answers ${code} when its signal says so, and closes the connection`, async () => {
        for (const begun of ['', '{"te']) {
          await using server = await startFakeMedia();
          server.reply({ hang: true, begun });
          const stop = new AbortController();
          const arrived = server.arrived();
          const answer = assert.rejects(run(server, { request: { signal: stop.signal } }), { name: 'AppError', code });
          const request = await arrived;
          stop.abort(reason);
          await answer;
          await request.dropped;
        }
      });

    it('does not even ask when it is stopped already', () =>
      refused({ request: { signal: AbortSignal.abort() } }, { code: 'aborted' }));

    it('answers network when nobody listens', async () => {
      const server = await startFakeMedia();
      await server[Symbol.asyncDispose]();
      await assert.rejects(run(server), { name: 'AppError', code: 'network' });
    });
  });
}

/** All of an error that could reach a log. */
function everythingIn(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return String(error);
  return `${error.message} ${error.stack} ${JSON.stringify(error)} ${everythingIn(error.cause, depth + 1)}`;
}
