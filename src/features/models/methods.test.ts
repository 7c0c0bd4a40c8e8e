/** Model setup through the protocol: the source of each key, and a test answer or the provider's error. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startGateway } from '../../testing/running-gateway.ts';

describe('models.providers and models.test', () => {
  it('say where a key comes from and never what it is', async () => {
    await using gateway = await startGateway({
      config: {
        models: {
          providers: {
            openai: { apiKey: 'sk-secret' },
            desk: { baseUrl: 'http://127.0.0.1:9/v1', models: [{ id: 'm' }] },
          },
        },
      },
    });
    await using chat = await gateway.connect();
    const answer = await chat.call('models.providers');
    const of = (id: string) => answer.providers.find((provider: { id: string }) => provider.id === id);
    assert.equal(of('openai').key, 'config');
    assert.equal(of('anthropic').key, 'missing');
    assert.deepEqual(of('anthropic').envKeys, ['ANTHROPIC_API_KEY']);
    assert.ok(of('anthropic').models.some(({ id }: { id: string }) => id === of('anthropic').defaultModel));
    assert.deepEqual(of('desk'), {
      id: 'desk',
      label: 'desk',
      key: 'not needed',
      envKeys: [],
      models: [{ id: 'm', name: 'm' }],
      defaultModel: 'm',
    });
    assert.ok(!JSON.stringify(answer).includes('sk-secret'));
  });

  it('answer once, or with the error of the provider', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['Hello ', 'there.'] });
    assert.deepEqual(
      { ...(await chat.call('models.test', { model: 'fake/model' })), ms: 0 },
      { ok: true, ms: 0, text: 'Hello there.' },
    );
    gateway.models.reply({ error: 'auth' });
    const refused = await chat.call('models.test', { model: 'fake/model' });
    assert.equal(refused.code, 'auth');
    const unknown = await chat.call('models.test', { model: 'nobody/model' });
    assert.equal(unknown.code, 'not_found');
    assert.match(unknown.problem, /Unknown model provider "nobody"/);
  });
});
