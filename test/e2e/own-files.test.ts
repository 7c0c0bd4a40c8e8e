/** Files that an agent sends in the web chat, in a gateway without channels. */
import assert from 'node:assert/strict';
import { link, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  startGateway,
  type Chat,
  type GatewayOptions,
  type RunningGateway,
} from '../../src/testing/running-gateway.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const message = (args: object, id = 'call') => ({ calls: [{ id, name: 'message', args }] });

interface Seen {
  readonly role: string;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly files?: readonly {
    readonly id: string;
    readonly name: string;
    readonly mime: string;
    readonly size: number;
  }[];
  readonly details?: { readonly sent?: readonly { readonly files?: Seen['files']; readonly text: string }[] };
}

async function harness(
  run: (gateway: RunningGateway, chat: Chat) => Promise<void>,
  options: GatewayOptions = {},
): Promise<void> {
  await using gateway = await startGateway(options);
  await using chat = await gateway.connect();
  await chat.say('hello');
  const folder = join(gateway.stateDir, '..', 'clawd');
  await mkdir(join(folder, 'out'));
  await writeFile(join(folder, 'plan.txt'), 'the plan');
  await writeFile(join(folder, 'out', 'chart.txt'), PNG); // what it is, its bytes tell
  await run(gateway, chat);
}

const history = async (chat: Chat): Promise<readonly Seen[]> =>
  (await chat.call('chat.history', { sessionKey: 'main' })).messages;
const wordsOf = ({ content }: Seen): string => content.map(({ text = '' }) => text).join('');
const facts = (files: Seen['files']) => files?.map(({ name, mime, size }) => ({ name, mime, size }));
const bytes = async (chat: Chat, id: string): Promise<Buffer> =>
  Buffer.from((await chat.call('chat.file', { sessionKey: 'main', id })).content, 'base64');

describe('a gateway without a channel', () => {
  it('gives a file with the message tool, once, and says nothing twice; the history has it in the next run too', async () =>
    harness(async (gateway, chat) => {
      gateway.models.reply(
        message({ message: 'Here is the plan.', mediaUrl: 'plan.txt' }),
        message({ mediaUrls: ['plan.txt', 'out/chart.txt'] }, 'b'),
        { text: ['Here is the plan.'] },
      );
      const { ended } = await chat.send('send me the plan');
      assert.deepEqual((await ended).payload.message.content, [], 'the tool had said it');
      assert.deepEqual(
        gateway.models.requests.at(-1)!.toolResults.map(({ text }) => text),
        [
          'Shown in this chat, with plan.txt.',
          'Shown in this chat, with chart.txt. plan.txt was sent there already in this turn, so not a second time.',
        ],
      );
      const check = async (who: Chat): Promise<void> => {
        const seen = await history(who);
        const sent = seen.flatMap(({ details }) => details?.sent ?? []);
        assert.deepEqual(
          sent.map(({ text, files }) => ({ text, files: facts(files) })),
          [
            { text: 'Here is the plan.', files: [{ name: 'plan.txt', mime: 'text/plain', size: 8 }] },
            { text: '', files: [{ name: 'chart.txt', mime: 'image/png', size: PNG.length }] },
          ],
        );
        assert.equal(seen.at(-1)!.role, 'toolResult', 'the answer that repeats it is not shown');
        const [plan, chart] = sent.flatMap(({ files }) => files ?? []);
        assert.equal(String(await bytes(who, plan!.id)), 'the plan');
        assert.deepEqual(await bytes(who, chart!.id), PNG);
      };
      await check(chat);
      await gateway.restart();
      await using later = await gateway.connect();
      await check(later);
    }));

  it('takes MEDIA and embed lines out of an answer, live and in the history, and says what was refused', async () =>
    harness(async (gateway, chat) => {
      gateway.models.reply({
        text: [
          'Two files:\n',
          'MED',
          'IA:plan.txt\n',
          'MEDIA:/etc/hostname\n[embed ref="out/chart.txt" title="Chart" /]\n',
          '[embed url="https://example.com/map" title="Map" /]\nThat is all.',
        ],
      });
      const { ended, runId } = await chat.send('both please');
      const { message: last } = (await ended).payload;
      const text =
        'Two files:\nThat is all.\nMap: https://example.com/map\n(hostname was not sent: only files of the workspace can be.)';
      const files = [
        { name: 'plan.txt', mime: 'text/plain', size: 8 },
        { name: 'chart.txt', mime: 'image/png', size: PNG.length },
      ];
      assert.deepEqual([wordsOf(last), facts(last.files)], [text, files]);
      const streamed = chat.events.flatMap(({ event, payload }: any) =>
        event === 'chat' && payload.runId === runId && payload.state === 'delta' ? [wordsOf(payload.message)] : [],
      );
      assert.deepEqual(
        streamed.filter((words) => /MED|embed/.test(words)),
        [],
      );
      await gateway.restart();
      await using later = await gateway.connect();
      const seen = (await history(later)).at(-1)!;
      assert.deepEqual([wordsOf(seen), facts(seen.files)], [text, files]);
      assert.equal(String(await bytes(later, seen.files![0]!.id)), 'the plan');
      // The model finds its own words.
      await later.say('and?');
      assert.match(JSON.stringify(gateway.models.requests.at(-1)!.body.messages), /MEDIA:plan\.txt/);
    }));

  it('an answer gives no file again that the tool gave, under whatever name; another chat does not have it', async () =>
    harness(async (gateway, chat) => {
      await writeFile(join(gateway.stateDir, '..', 'clawd', 'copy.txt'), 'the plan');
      gateway.models.reply(message({ mediaUrl: 'plan.txt' }), { text: ['Bye.\nMEDIA:copy.txt\nMEDIA:out/chart.txt'] });
      const { message: last } = (await (await chat.send('the plan')).ended).payload;
      assert.deepEqual([wordsOf(last), last.files.map(({ name }: any) => name)], ['Bye.', ['chart.txt']]);
      gateway.models.reply(message({ mediaUrl: 'plan.txt' }), { text: ['NO_REPLY'] });
      const again = (await (await chat.send('once more')).ended).payload.message;
      assert.deepEqual(
        [again.content, again.told.length],
        [[], 1],
        'a later turn gives it again, and what was given is told where the answer is silence',
      );
    }));

  it('an answer that is only a refused file is a sentence, whatever leads to what is secret', async () =>
    harness(async (gateway, chat) => {
      const folder = join(gateway.stateDir, '..', 'clawd');
      const secret = join(gateway.stateDir, 'clawdbot.json');
      await symlink(secret, join(folder, 'soft.json'));
      await link(secret, join(folder, 'hard.json'));
      for (const [written, name, why] of [
        ['../state/clawdbot.json', 'clawdbot.json', 'only files of the workspace can be'],
        ['soft.json', 'soft.json', 'only files of the workspace can be'],
        ['hard.json', 'hard.json', 'only files of the workspace can be'],
        ['https://127.0.0.1/x.png', 'x.png', 'only public https addresses are'],
        ['http://example.com/y.png', 'y.png', 'only public https addresses are'],
      ] as const) {
        const sentence = `(${name} was not sent: ${why}.)`;
        gateway.models.reply({ text: [`MEDIA:${written}`] });
        assert.equal(await chat.say('that one, please'), sentence);
        assert.equal(wordsOf((await history(chat)).at(-1)!), sentence);
        gateway.models.reply(message({ mediaUrl: written }), { text: ['I may not.'] });
        assert.equal(await chat.say('by the tool, then'), 'I may not.');
        const [result] = gateway.models.requests.at(-1)!.toolResults.slice(-1);
        assert.match(result!.text, /outside|hard links|only public https|not sent/i, written);
      }
      const files = (await history(chat)).flatMap(({ details }) => details?.sent ?? []);
      assert.deepEqual(files, []);
    }));

  it('answers the bytes of a file to its session alone, in parts, and to who may read', async () =>
    harness(async (gateway, chat) => {
      const large = Buffer.alloc(1024 * 1024 + 5, 'x');
      await writeFile(join(gateway.stateDir, '..', 'clawd', 'large.bin'), large);
      gateway.models.reply({ text: ['MEDIA:large.bin'] });
      await chat.say('the large one');
      const id = (await history(chat)).at(-1)!.files![0]!.id;
      const first = await chat.call('chat.file', { sessionKey: 'main', id });
      assert.deepEqual(
        { ...first, content: first.content.length },
        { id, size: large.length, offset: 0, content: 1398104, hasMore: true, nextOffset: 1024 * 1024 },
      );
      const rest = await chat.call('chat.file', { sessionKey: 'agent:main:main', id, offset: first.nextOffset });
      assert.deepEqual(
        [rest.hasMore, Buffer.concat([first, rest].map(({ content }) => Buffer.from(content, 'base64'))).equals(large)],
        [false, true],
      );
      assert.equal((await chat.call('chat.file', { sessionKey: 'main', id, offset: 2 ** 40 })).content, '');
      const elsewhere = { sessionKey: 'other', id };
      await assert.rejects(chat.call('chat.file', elsewhere), /no longer exists, or belongs to another session/);
      for (const bad of ['../../clawdbot.json', `../${id}`, `${id}/..`, '/etc/passwd', `${id}\0`, ''])
        await assert.rejects(chat.call('chat.file', { sessionKey: 'main', id: bad }), /not a file id/);
      const folder = join(gateway.stateDir, 'media', 'inbound');
      const [own] = (await readdir(folder)).filter((name) => name.startsWith('of-'));
      const planted = `${'0'.repeat(32)}.json`;
      await symlink(join(gateway.stateDir, 'clawdbot.json'), join(folder, own!, planted));
      await assert.rejects(chat.call('chat.file', { sessionKey: 'main', id: planted }), /outside/);
    }));

  it('tells a program that runs a turn what was given', async () =>
    harness(async (gateway, chat) => {
      gateway.models.reply(message({ message: 'The plan:', mediaUrl: 'plan.txt' }), { text: ['MEDIA:out/chart.txt'] });
      const { result } = await chat.call('agent', { message: 'both', idempotencyKey: 'p1' });
      assert.deepEqual(
        result.payloads.map(({ text, files }: any) => ({ text, files: facts(files) })),
        [
          { text: 'The plan:', files: [{ name: 'plan.txt', mime: 'text/plain', size: 8 }] },
          { text: '', files: [{ name: 'chart.txt', mime: 'image/png', size: PNG.length }] },
        ],
      );
      const { payload } = await chat.event(
        ({ event, payload }) => event === 'chat' && payload.runId === 'p1' && payload.state === 'final',
      );
      assert.deepEqual(
        [payload.message.told.length, facts(payload.message.files)!.map(({ name }) => name)],
        [1, ['chart.txt']],
      );
    }));

  it('has it still after a death between the end of the turn and its last line in the transcript', async () => {
    const crash = { at: undefined as string | undefined, hit: Promise.withResolvers<void>() };
    await harness(
      async (gateway, chat) => {
        crash.at = 'transcript.before';
        gateway.models.reply({ text: ['Here.\nMEDIA:plan.txt'] });
        await chat.send('send me the plan');
        await crash.hit.promise;
        await gateway.restart();
        await using later = await gateway.connect();
        const seen = (await history(later)).at(-1)!;
        assert.deepEqual(
          [wordsOf(seen), facts(seen.files)],
          ['Here.', [{ name: 'plan.txt', mime: 'text/plain', size: 8 }]],
        );
      },
      {
        checkpoint: (point) => {
          if (point !== crash.at) return;
          crash.at = undefined;
          crash.hit.resolve();
          throw new Error('killed here');
        },
      },
    );
  });
});
