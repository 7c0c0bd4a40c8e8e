import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NativeCommand } from '../../core/channel.ts';
import { ANN, BOB } from './fake-discord.ts';
import { fixture, general, to } from '../../testing/discord-fixture.ts';

describe('native commands', () => {
  const commands: readonly NativeCommand[] = [
    {
      name: 'model',
      description: 'Choose the model',
      args: [
        { name: 'model', description: 'Which', choices: ['a', 'b'] },
        { name: 'must', description: 'Needed', required: true },
      ],
    },
  ];

  it('are registered as a whole, and not again while they are the same', async () => {
    await using s = await fixture({ commands });
    const puts = (): readonly any[] =>
      s.fake.calls.filter(({ method, path }) => method === 'PUT' && path.endsWith('/commands')).map(({ body }) => body);
    assert.deepEqual(puts(), [
      [
        {
          name: 'model',
          type: 1,
          description: 'Choose the model',
          options: [
            { type: 3, name: 'must', description: 'Needed', required: true },
            {
              type: 3,
              name: 'model',
              description: 'Which',
              required: false,
              choices: [
                { name: 'a', value: 'a' },
                { name: 'b', value: 'b' },
              ],
            },
          ],
        },
      ],
    ]);
    await s.connection[Symbol.asyncDispose]();
    await s.fixture.connect();
    assert.equal(puts().length, 1);
  });

  it('are acknowledged at once and answered where they were used, for that person alone', async () => {
    await using s = await fixture({ commands });
    const token = await s.fake.interact({
      chat: general,
      by: ANN,
      data: { name: 'model', type: 1, options: [{ name: 'model', value: 'a' }] },
    });
    const { address, text, native, sender } = await s.heard((message) => message.native === true);
    assert.deepEqual(
      [text, sender.id, s.fake.responses(token)],
      ['/model a', ANN, [{ content: '', ephemeral: true, loading: true }]],
    );
    for (const words of ['It is a.', 'Anything else?']) await s.say(address, { text: words });
    assert.deepEqual(
      [native, s.fake.responses(token)],
      [
        true,
        [
          { content: 'It is a.', ephemeral: true, loading: false },
          { content: 'Anything else?', ephemeral: true, loading: false },
        ],
      ],
    );
    assert.deepEqual(s.fake.seen(general), []);
  });

  it('are answered in the chat when the response expired', async () => {
    await using s = await fixture({ commands, config: { slashCommand: { ephemeral: false } } });
    await s.say(to(general, { via: 'interaction:901:gone:1' }), { text: 'late' });
    await s.say(to(general, { via: `interaction:901:unknown-token:${Date.now() + 60_000}` }), { text: 'later' });
    assert.deepEqual(
      s.fake.seen(general).map(({ text }) => text),
      ['late', 'later'],
    );
  });

  it('take a pressed button for words, without a response of its own', async () => {
    await using s = await fixture();
    const asked = await s.say(to(general), { text: 'Sure?' });
    await s.fake.interact({
      chat: general,
      by: BOB,
      type: 3,
      data: { custom_id: 'yes', component_type: 2 },
      message: { id: asked },
    });
    const pressed = await s.heard(({ text }) => text === 'callback_data: yes');
    assert.deepEqual([pressed.sender.id, pressed.quoted?.id, pressed.address.via], [BOB, asked, undefined]);
  });
});
