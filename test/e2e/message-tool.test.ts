/**
 * The message tool in a whole gateway: what the model is offered, what people get, once, and what is recorded in
 * sessions.
 */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { createFixture, type Fixture } from '../crash/fixture.ts';

const PLUGIN = join(import.meta.dirname, '../crash/plugin');
const message = (args: object, id = 'call') => ({ calls: [{ id, name: 'message', args }] });
const results = (gateway: RunningGateway, nth: number): string[] =>
  gateway.models.requests[nth]!.toolResults.map(({ text }) => text);
const declared = (gateway: RunningGateway, nth = 0): any =>
  (gateway.models.requests[nth]!.body.tools ?? [])
    .map((tool: any) => tool.function)
    .find(({ name }: any) => name === 'message');

async function onPipe(
  run: (fixture: Fixture, gateway: RunningGateway, say: (text: string) => void) => Promise<void>,
  options: Parameters<typeof startGateway>[0] = {},
): Promise<void> {
  const fixture = await createFixture();
  try {
    await using gateway = await startGateway({
      ...options,
      config: {
        plugins: { load: { paths: [PLUGIN] } },
        channels: { pipe: { url: fixture.url, allowFrom: ['ann', 'bob'] } },
        session: { dmScope: 'per-channel-peer' },
        ...(options.config as object | undefined),
      },
    });
    let nth = 0;
    await run(fixture, gateway, (text) => {
      const id = `m${nth++}`;
      fixture.unacknowledged.set(id, { id, chat: 'ann', text });
    });
  } finally {
    await fixture.close();
  }
}

describe('the message tool', () => {
  it('is there with a channel, for its actions alone; without one for this chat alone', async () => {
    await onPipe(async (_fixture, gateway) => {
      await using chat = await gateway.connect();
      await chat.say('hello');
      assert.deepEqual(declared(gateway).parameters.properties.action.enum, ['send', 'poll']);
      assert.match(declared(gateway).description, /Channels: pipe\./);
      assert.match(
        JSON.stringify(gateway.models.requests[0]!.body.messages[0]),
        /With `message` you write in other chats/,
      );
    });
    await using plain = await startGateway();
    await using chat = await plain.connect();
    await chat.say('hello');
    assert.match(declared(plain).description, /No channel is configured/);
    plain.models.reply(message({ target: 'bob', message: 'hi' }), { text: ['No.'] });
    await chat.say('tell bob');
    assert.match(results(plain, 2)[0]!, /bob: not sent\. There are no configured channels/);
  });

  it('G164 says in its own chat what the answer then does not repeat', async () =>
    onPipe(async (fixture, gateway, say) => {
      gateway.models.reply(message({ action: 'send', message: 'Done.' }), { text: ['Done.'] });
      say('do it');
      await until(() => gateway.models.requests.length === 2);
      assert.match(results(gateway, 1)[0]!, /^Sent to pipe direct ann \(message p1\)\.$/);
      say('and again');
      await until(() => fixture.sends.length === 2);
      assert.deepEqual(
        fixture.sends.map(({ text }) => text),
        ['Done.', 'ok'],
        'the answer was left out',
      );
    }));

  it('writes in another chat, marked, and that conversation remembers it', async () =>
    onPipe(async (fixture, gateway, say) => {
      gateway.models.reply(message({ action: 'send', target: 'bob', message: 'Ann is late.' }), {
        text: ['I told Bob.'],
      });
      say('tell bob');
      await until(() => fixture.sends.length === 2);
      assert.deepEqual(
        fixture.sends.map(({ chat, text }) => [chat, text]),
        [
          ['bob', '[from pipe] Ann is late.'],
          ['ann', 'I told Bob.'],
        ],
      );
      await using chat = await gateway.connect();
      await until(
        async () =>
          (await chat.history('agent:main:pipe:dm:bob')).length === 1 ||
          (await chat.history('agent:main:pipe:direct:bob')).length === 1,
      );
      const [key] = (await chat.call('sessions.list')).sessions
        .map((row: { key: string }) => row.key)
        .filter((one: string) => one.endsWith(':bob'));
      assert.deepEqual(await chat.history(key), [{ role: 'assistant', text: '[from pipe] Ann is late.' }]);
    }));

  it('G54 does not leave the channel it was asked on; the owner may', async () =>
    onPipe(async (fixture, gateway, say) => {
      gateway.models.reply(message({ action: 'send', channel: 'webchat', target: 'x', message: 'hi' }), {
        text: ['No.'],
      });
      say('tell webchat');
      await until(() => fixture.sends.length === 1);
      assert.match(results(gateway, 1)[0]!, /may not write to webchat|Use another channel/);
      await using chat = await gateway.connect();
      gateway.models.reply(message({ action: 'send', target: 'bob', message: 'From your owner.' }), {
        text: ['Told.'],
      });
      assert.equal(await chat.say('tell bob'), 'Told.');
      assert.deepEqual(fixture.sends.at(-1), {
        chat: 'bob',
        text: 'From your owner.',
        token: fixture.sends.at(-1)!.token,
      });
    }));

  it('sends once, whatever the gateway dies of on the way', async () => {
    const crash = { at: undefined as string | undefined, hit: Promise.withResolvers<void>() };
    await onPipe(
      async (fixture, gateway, say) => {
        crash.at = 'send.after';
        gateway.models.reply(message({ action: 'send', target: 'bob', message: 'Once.' }), { text: ['Told.'] });
        say('tell bob');
        await crash.hit.promise;
        await gateway.restart();
        await until(() => fixture.sends.some(({ text }) => text === 'Told.'), 'the turn to go on');
        assert.equal(fixture.sends.filter(({ chat }) => chat === 'bob').length, 1);
      },
      {
        checkpoint: (point) => {
          if (point !== crash.at) return;
          crash.at = undefined;
          crash.hit.resolve();
        },
      },
    );
  });
});

describe('send over the wire', () => {
  it('G60 G61 goes out once per key, is noted where it went, and carries files', async () =>
    onPipe(async (fixture, gateway) => {
      await using chat = await gateway.connect();
      const request = { channel: 'pipe', to: 'bob', message: 'From a script.', idempotencyKey: 'k1' };
      const [first, second] = await Promise.all([chat.call('send', request), chat.call('send', request)]);
      assert.deepEqual(first, second);
      await chat.call('send', {
        channel: 'pipe',
        to: 'bob',
        buffer: Buffer.from('x').toString('base64'),
        filename: 'a.txt',
        contentType: 'text/plain',
        idempotencyKey: 'k2',
      });
      assert.deepEqual(
        fixture.sends.map(({ text }) => text),
        ['From a script.', '(The file a.txt cannot be sent here.)'],
      );
      const [key] = (await chat.call('sessions.list')).sessions
        .map((row: { key: string }) => row.key)
        .filter((one: string) => one.endsWith(':bob'));
      assert.deepEqual(
        (await chat.history(key)).map(({ text }) => text),
        ['From a script.', 'a.txt'],
      );
    }));

  it('G38 an answer asked for by a program goes to where its session was written to from, and stands there once', async () =>
    onPipe(async (fixture, gateway, say) => {
      await using chat = await gateway.connect();
      gateway.models.reply({ text: ['hello Ann'] }, { text: ['It is done.'] }, { text: ['Done again.'] });
      say('hi');
      await until(() => fixture.sends.length === 1);
      const sessionKey = 'agent:main:pipe:dm:ann';
      const asked = await chat.call('agent', { message: 'tell them', sessionKey, deliver: true, idempotencyKey: 'd1' });
      assert.equal(asked.status, 'ok');
      // the only channel needs no name
      await chat.call('agent', { message: 'and Bob', sessionKey, deliver: true, to: 'bob', idempotencyKey: 'd2' });
      assert.deepEqual(
        fixture.sends.map(({ chat: to, text }) => [to, text]),
        [
          ['ann', 'hello Ann'],
          ['ann', 'It is done.'],
          ['bob', 'Done again.'],
        ],
      );
      assert.deepEqual(
        (await chat.history(sessionKey)).filter(({ role }) => role === 'assistant').map(({ text }) => text),
        ['hello Ann', 'It is done.', 'Done again.'],
      );
    }));

  it('G45 G53 tells what it cannot do', async () =>
    onPipe(async (fixture, gateway) => {
      await using chat = await gateway.connect();
      await assert.rejects(
        chat.call('send', { channel: 'webchat', to: 'main', message: 'hi', idempotencyKey: 'k1' }),
        /Use another channel/,
      );
      await assert.rejects(
        chat.call('message.action', {
          channel: 'pipe',
          action: 'react',
          params: { messageId: '1', emoji: 'x' },
          idempotencyKey: 'k2',
        }),
        /cannot "react"\. It can: poll/,
      );
      await chat.call('poll', { channel: 'pipe', to: 'bob', question: 'q', options: ['a', 'b'], idempotencyKey: 'k3' });
      assert.match(JSON.stringify(fixture.sends), /q.*A\. a.*B\. b/, 'without polls of its own, lettered words');
    }));
});

it('a file of the workspace goes along; one outside does not', async () =>
  onPipe(async (fixture, gateway, say) => {
    await using chat = await gateway.connect();
    await chat.say('hello');
    await writeFile(join(gateway.stateDir, '..', 'clawd', 'plan.txt'), 'plan');
    gateway.models.reply(
      message({ action: 'send', message: 'Here.', media: 'plan.txt' }),
      message({ action: 'send', media: '/etc/hostname' }, 'b'),
      { text: ['That is all.'] },
    );
    say('send me the plan');
    await until(() => fixture.sends.some(({ text }) => text === 'That is all.'));
    assert.match(fixture.sends[0]!.text, /^Here\.\n\(The file plan\.txt cannot be sent here\.\)$/);
    assert.match(results(gateway, 3).at(-1)!, /outside|may not|workspace/);
  }));

describe('a file in one turn', () => {
  const notes = async (gateway: RunningGateway, files: Readonly<Record<string, string>>): Promise<void> => {
    await using chat = await gateway.connect();
    await chat.say('hello');
    const folder = join(gateway.stateDir, '..', 'clawd');
    await mkdir(join(folder, 'new'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  };
  const FILE = /\(The file [\w.]+ cannot be sent here\.\)/; // what this channel makes of one
  const filesTo = (fixture: Fixture, who: string): number =>
    fixture.sends.filter(({ chat, text }) => chat === who && FILE.test(text)).length;

  it('goes out once to a chat, however often and under whatever name it is sent', async () =>
    onPipe(async (fixture, gateway, say) => {
      await notes(gateway, { 'plan.txt': 'plan', 'copy.txt': 'plan' });
      gateway.models.reply(
        message({ message: 'Here.', mediaUrl: 'plan.txt' }),
        message({ mediaUrl: 'copy.txt' }, 'b'),
        message({ message: 'Once more.', mediaUrls: ['plan.txt'] }, 'c'),
        { text: ['That is all.\nMEDIA:plan.txt'] },
      );
      say('send me the plan');
      await until(() => fixture.sends.some(({ text }) => text.startsWith('That is all.')));
      assert.deepEqual(
        fixture.sends.map(({ text }) => text.replace(FILE, '<file>')),
        ['Here.\n<file>', 'Once more.', 'That is all.'],
      );
      assert.match(results(gateway, 3).at(-1)!, /copy\.txt was sent there already in this turn/);
      assert.match(
        results(gateway, 4).at(-1)!,
        /^Sent to pipe direct ann \(message .*\)\. plan\.txt was sent there already in this turn/,
      );
    }));

  it('goes out once when both calls are in one answer', async () =>
    onPipe(async (fixture, gateway, say) => {
      await notes(gateway, { 'plan.txt': 'plan' });
      gateway.models.reply(
        {
          calls: ['a', 'b'].map((id) => ({
            id,
            name: 'message',
            args: { message: `Part ${id}.`, mediaUrl: 'plan.txt' },
          })),
        },
        { text: ['That is all.'] },
      );
      say('send me the plan');
      await until(() => fixture.sends.some(({ text }) => text === 'That is all.'));
      assert.equal(filesTo(fixture, 'ann'), 1);
      assert.deepEqual(
        fixture.sends.map(({ text }) => text.split('\n')[0]).toSorted(),
        ['Part a.', 'Part b.', 'That is all.'],
        'the words of both: which of two calls of one answer is first, nobody promises',
      );
    }));

  it('goes to another chat, in another turn, and when it is another file of the same name', async () =>
    onPipe(async (fixture, gateway, say) => {
      await notes(gateway, { 'plan.txt': 'plan', 'new/plan.txt': 'another plan' });
      gateway.models.reply(
        message({ mediaUrl: 'plan.txt' }),
        message({ target: 'bob', mediaUrl: 'plan.txt' }, 'b'),
        message({ message: 'Mended:', mediaUrl: 'new/plan.txt' }, 'c'),
        { text: ['Both.'] },
      );
      say('send it to both');
      await until(() => fixture.sends.some(({ text }) => text === 'Both.'));
      assert.deepEqual([filesTo(fixture, 'ann'), filesTo(fixture, 'bob')], [2, 1]);
      gateway.models.reply(message({ mediaUrl: 'plan.txt' }), { text: ['Again.'] });
      say('again');
      await until(() => fixture.sends.some(({ text }) => text === 'Again.'));
      assert.equal(filesTo(fixture, 'ann'), 3);
    }));

  it('goes out once across a crash between the two calls', async () => {
    const crash = { armed: false, hit: Promise.withResolvers<void>() };
    await onPipe(
      async (fixture, gateway, say) => {
        await notes(gateway, { 'plan.txt': 'plan' });
        crash.armed = true;
        gateway.models.reply(message({ mediaUrl: 'plan.txt' }), message({ mediaUrl: 'plan.txt' }, 'b'), {
          text: ['Told.'],
        });
        say('send it');
        await crash.hit.promise;
        await gateway.restart();
        await until(() => fixture.sends.some(({ text }) => text === 'Told.'), 'the turn to go on');
        assert.equal(filesTo(fixture, 'ann'), 1);
      },
      {
        checkpoint: (point) => {
          if (!crash.armed || point !== 'tool.finished') return;
          crash.armed = false;
          crash.hit.resolve();
        },
      },
    );
  });
});
