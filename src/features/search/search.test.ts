/** Search finds what people and agents wrote in any conversation, and nothing in tool results or pictures. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startGateway } from '../../testing/running-gateway.ts';

describe('sessions.search', () => {
  it('finds messages of people and agents by all words, and nothing else', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['The **Lisbon** flight leaves at nine.'] });
    await chat.say('When do we leave?', { session: 'agent:main:web:trip' });
    gateway.models.reply({ text: ['Noted.'] });
    await chat.say('Buy "olives" and bread', { session: 'agent:main:web:shop' });
    const search = async (query: string) =>
      (await chat.call('sessions.search', { query })).results.map(
        ({ key, role, excerpt }: { key: string; role: string; excerpt: string }) => [key, role, excerpt],
      );
    assert.deepEqual(await search('lisbon FLIGHT'), [
      ['agent:main:web:trip', 'assistant', 'The **Lisbon** flight leaves at nine.'],
    ]);
    assert.deepEqual(await search('"olives" bread'), [['agent:main:web:shop', 'user', 'Buy "olives" and bread']]);
    assert.deepEqual(await search('lisbon bread'), []);
    assert.deepEqual(await search('timestamp'), [], 'names of fields are not what was said');
  });

  it('says when there is more', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    for (const name of ['a', 'b', 'c'])
      await chat.say(`same words`, { session: `agent:main:web:${name}`, runId: name });
    const some = await chat.call('sessions.search', { query: 'same words', limit: 2 });
    assert.deepEqual([some.results.length, some.complete], [2, false]);
    const all = await chat.call('sessions.search', { query: 'same words' });
    assert.equal(all.complete, true);
    assert.equal(all.results[0].runId, 'c', 'the session used last first');
  });
});
