/** The common behaviour of every vendor's model: one error class, one end, streams that never throw. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../core/errors.ts';
import { asks, readStream } from '../testing/read-stream.ts';
import { call, finish, says, scriptedModel, text, type Scripted } from '../testing/scripted-model.ts';
import { withManners } from './index.ts';

const settings = { id: 'acme', apiKey: 'key-1234567890', models: [] };
const vendor = { id: 'acme', envKeys: ['ACME_KEY'] };
const polite = (script: Scripted, options = {}) =>
  withManners(scriptedModel([script]), { settings, vendor, ...options });
const errorOf = async (script: Scripted): Promise<AppError> => {
  const error: unknown = await readStream(polite(script), asks('hi')).then(
    (heard) => heard.error,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof AppError, String(error));
  return error;
};

describe('a model with manners', () => {
  it('ends with its finish and says nothing after it', async () => {
    const heard = await readStream(polite([...says('hello'), ...text('ghost')]), asks('hi'));
    assert.equal(heard.text, 'hello');
    assert.equal(heard.parts.at(-1)?.type, 'finish');
  });

  it('ends with one error part when the stream breaks, keeping what was said', async () => {
    const heard = await readStream(
      polite([...text('so far'), { type: 'break', error: new TypeError('terminated') }]),
      asks('hi'),
    );
    assert.equal(heard.text, 'so far');
    assert.deepEqual(heard.parts.filter(({ type }) => type === 'error').length, 1);
    assert.equal((heard.error as AppError).code, 'network');
  });

  it('treats the first error as the end', async () => {
    const heard = await readStream(
      polite([{ type: 'error', error: { message: 'Overloaded', type: 'overloaded_error' } }, ...says('anyway')]),
      asks('hi'),
    );
    assert.equal(heard.text, '');
    assert.equal((heard.error as AppError).code, 'overloaded');
  });

  it('knows an answer that has no end, and one that is none', async () => {
    assert.equal((await errorOf(text('half'))).code, 'network');
    assert.equal((await errorOf([])).code, 'bad_response');
    assert.equal((await errorOf([finish('interrupted')])).code, 'bad_response');
    assert.equal((await errorOf([...text('half'), finish('interrupted')])).code, 'network');
  });

  it('lets an empty answer through: whether silence is right is for the loop to say', async () => {
    assert.equal((await readStream(polite([finish('stop')]), asks('hi'))).finish, 'stop');
  });

  it('passes tool calls on untouched', async () => {
    assert.deepEqual(
      (await readStream(polite([call('c1', 'read', { path: 'a' }), finish('tool-calls')]), asks('hi'))).calls,
      [{ id: 'c1', name: 'read', input: { path: 'a' } }],
    );
  });

  it("sends the vendor's standing options, and those of the call over them", async () => {
    const inner = scriptedModel([says('ok')]);
    const model = withManners(inner, { settings, vendor, options: { acme: { store: false, a: 1 } } });
    await readStream(model, { ...asks('hi'), providerOptions: { acme: { a: 2 }, thinking: { level: 'medium' } } });
    assert.deepEqual(inner.requests[0]?.providerOptions, {
      acme: { store: false, a: 2 },
      thinking: { level: 'medium' },
    });
    assert.equal(inner.requests[0]?.reasoning, 'medium');
  });

  it('tells a key that is wrong, one that may not, and a vendor that broke apart', async () => {
    const answered = (statusCode: number, message: string, responseBody = message): Promise<AppError> =>
      errorOf(Object.assign(new Error(message), { name: 'AI_APICallError', statusCode, responseBody }));
    const places = 'models.providers.acme.apiKey or ACME_KEY';
    assert.deepEqual(
      (
        await Promise.all([
          answered(403, 'API key expired.'),
          answered(403, 'Country, region, or territory not supported.'),
          answered(403, 'Forbidden', '<html><body>firewall</body></html>'),
          answered(502, 'Bad Gateway', '<!doctype html><title>502</title>'),
        ])
      ).map(({ code, message }) => [code, message]),
      [
        ['auth', `acme refused the API key (403). Check ${places}.`],
        [
          'auth',
          `acme refused access (403): Country, region, or territory not supported. Check ${places} and the ` +
            'permissions of the key.',
        ],
        ['auth', `acme refused access (403): Forbidden. Check ${places} and the permissions of the key.`],
        ['bad_response', 'acme returned a server error (502): Bad Gateway'],
      ],
    );
  });

  it('names the variable only to the vendor it belongs to', async () => {
    const refused = Object.assign(new Error('no'), { name: 'AI_APICallError', statusCode: 401 });
    assert.match(
      (await errorOf(refused)).message,
      /^acme refused the API key \(401\)\. Check models\.providers\.acme\.apiKey or ACME_KEY\.$/,
    );
    const other = withManners(scriptedModel([refused]), { settings: { ...settings, id: 'mine' }, vendor });
    await assert.rejects(readStream(other, asks('hi')), {
      message: 'mine refused the API key (401). Check models.providers.mine.apiKey.',
    });
  });

  it('hides the key a server repeats, in the cause too', async () => {
    const error = await errorOf(
      Object.assign(new Error('bad key-1234567890'), { statusCode: 400, responseBody: '{"k":"key-1234567890"}' }),
    );
    assert.ok(!`${error.message}${(error.cause as Error).message}`.includes('key-1234567890'));
  });

  it('reads a date as a wait', async () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    const { retryAfterMs = 0 } = await errorOf(
      Object.assign(new Error('slow down'), { statusCode: 429, responseHeaders: { 'retry-after': inAMinute } }),
    );
    assert.ok(retryAfterMs > 50_000 && retryAfterMs <= 60_000);
  });
});
