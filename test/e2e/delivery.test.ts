/** Delivery of answers: split, with reply target, prefix and files, streamed or at the end, in order, once. */
import assert from 'node:assert/strict';
import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AppError } from '../../src/core/errors.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import type { FakeReply } from '../../src/testing/fake-models/wire.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { desks, type DeskChat } from '../fixtures/desk-channel/index.ts';

const PLUGIN = join(import.meta.dirname, '..', 'fixtures', 'desk-channel');

interface Harness extends AsyncDisposable {
  readonly gateway: RunningGateway;
  readonly desk: DeskChat;
  texts(): string[];
  /** Waits until the bot's messages are these. */
  shows(texts: readonly string[]): Promise<void>;
  ask(text: string, ...replies: readonly FakeReply[]): Promise<void>;
}

async function open(
  table: string,
  { channel = {}, config = {} }: { channel?: object; config?: object } = {},
): Promise<Harness> {
  const gateway = await startGateway({
    config: {
      plugins: { load: { paths: [PLUGIN] } },
      channels: { desk: { table, allowFrom: ['ann'], groups: { '*': {} }, ...channel } },
      ...config,
    },
  });
  await until(() => desks.get(table), 'the desk');
  const texts = (): string[] => desks.get(table)!.sent.map(({ text }) => text);
  return {
    gateway,
    texts,
    get desk() {
      return desks.get(table)!;
    },
    shows: async (wanted) => {
      await until(
        () => texts().length >= wanted.length && texts().at(-1) === wanted.at(-1),
        `messages ${JSON.stringify(wanted)}`,
      );
      assert.deepEqual(texts(), wanted);
    },
    ask: async (text, ...replies) => {
      gateway.models.reply(...replies);
      await desks.get(table)!.write({ text });
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

describe('an answer', () => {
  it('G155 G158 that is long comes in several messages, in order, the first pointing at the question', async () => {
    await using harness = await open('long', { channel: { textChunkLimit: 100, replyToMode: 'first' } });
    await harness.ask('go', { text: [words(30)] });
    await until(() => harness.texts().join(' ') === words(30), 'all of it');
    assert.ok(harness.texts().length > 2 && harness.texts().every((text) => text.length <= 100));
    assert.deepEqual(
      harness.desk.sent.map(({ message }) => (message.payload.replyTo as { id: string } | undefined)?.id).slice(0, 2),
      ['m1', undefined],
    );
    assert.match(harness.desk.sent[0]!.message.token, /:0$/);
    assert.match(harness.desk.sent[1]!.message.token, /:1$/);
  });

  it('G153 G154 has its prefix, and none of its directives', async () => {
    await using harness = await open('prefix', {
      config: {
        messages: { responsePrefix: '[{identity.name}/{model}]' },
        agents: { list: [{ id: 'main', identity: { name: 'Clawd' } }] },
      },
    });
    await harness.ask('go', { text: ['[[reply_to:m7]] hi', '[embed ref="x" /]'] });
    await until(() => harness.desk.sent[0], 'the answer');
    assert.match(harness.texts()[0]!, /^\[Clawd\/[\w.-]+\] hi\n\(x was not sent: the file does not exist\.\)$/);
  });

  it('G152 that is silence is none', async () => {
    await using harness = await open('silence');
    await harness.ask('go', { text: ['NO_', 'REPLY'] });
    await harness.ask('and?', { text: ['now'] });
    await harness.shows(['now']);
  });

  it('G057 G165 brings the files it may, each once, its words with the first', async () => {
    await using folder = await tempDir('workspace');
    const workspace = await realpath(folder.path);
    await using harness = await open('files', { config: { agents: { defaults: { workspace } } } });
    await writeFile(join(workspace, 'a.png'), 'png');
    await harness.ask('go', {
      text: [
        'here\nMEDIA:a.png\nMEDIA:./a.png\nMEDIA:/etc/passwd\nMEDIA:http://example.com/x.png\nMEDIA:https://10.0.0.1/x.png\nMEDIA:https://example.com/y.png',
      ],
    });
    await until(() => harness.desk.sent.length === 3, 'words and two files');
    assert.deepEqual(
      harness.desk.sent.map(({ message: { payload } }) =>
        payload.media?.map((file) => (file.from === 'file' ? file.name : file.url)),
      ),
      [undefined, ['a.png'], ['https://example.com/y.png']],
    );
    assert.equal(
      harness.texts()[0],
      'here\n(passwd was not sent: only files of the workspace can be.)\n(x.png was not sent: only public https addresses are.)',
    );
  });

  it('U175 brings pictures that its Markdown names, where the channel sends them as files', async () => {
    await using harness = await open('pictures');
    const local = '![b](https://10.0.0.1/b.png) `![c](https://example.com/c.png)`';
    await harness.ask('go', { text: [`Look: ![a](https://example.com/a.png)\n\nNot: ${local}`] });
    await until(() => harness.desk.sent.length === 2, 'words and a picture');
    assert.deepEqual(
      harness.desk.sent.map(({ message: { payload } }) => [
        payload.text,
        payload.media?.map((file) => (file.from === 'file' ? file.name : file.url)),
      ]),
      [
        [`Look:\n\nNot: ${local}`, undefined],
        [undefined, ['https://example.com/a.png']],
      ],
    );
  });

  it('that is nothing but a refused file or an embed says so', async () => {
    await using harness = await open('refused');
    const cases: readonly (readonly [string, string])[] = [
      ['MEDIA:missing.png', '(missing.png was not sent: the file does not exist.)'],
      ['NO_REPLY\nMEDIA:/etc/passwd', '(passwd was not sent: only files of the workspace can be.)'],
      ['[embed ref="cv_1" title="Status" /]', '(cv_1 was not sent: the file does not exist.)'],
      ['[embed url="https://example.com/board" title="Board" /]', 'Board: https://example.com/board'],
      ['words\n[embed ref="cv_1" title="Status" /]', 'words\n(cv_1 was not sent: the file does not exist.)'],
    ];
    for (const [index, [written, shown]] of cases.entries()) {
      await harness.ask(`case ${index}`, { text: [written] });
      await until(() => harness.texts().length > index, written);
      assert.equal(harness.texts()[index], shown);
    }
  });
});

describe('what the message tool sent', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const call = (args: object, id = 'c1'): FakeReply => ({ calls: [{ id, name: 'message', args }] });

  it('goes by the payload of the seed, is typed by its bytes, and is neither said nor sent again by the answer', async () => {
    await using folder = await tempDir('workspace');
    const workspace = await realpath(folder.path);
    await writeFile(join(workspace, 'image.txt'), PNG);
    await writeFile(join(workspace, 'copy.png'), PNG);
    await writeFile(join(workspace, 'other.png'), Buffer.concat([PNG, PNG]));
    const cases: readonly (readonly [string, object, string, unknown])[] = [
      [
        'one',
        { message: 'Here is your image.', mediaUrl: `${workspace}/image.txt` },
        'Here is your image.\nMEDIA:copy.png',
        [['Here is your image.', [['image.txt', 'image/png']]]],
      ],
      [
        'many',
        { message: 'Two at once, as you wished.', mediaUrls: ['copy.png', 'other.png', './copy.png'] },
        'at once, as you wished.\nMEDIA:image.txt\nMEDIA:other.png',
        [
          ['Two at once, as you wished.', [['copy.png', 'image/png']]],
          [undefined, [['other.png', 'image/png']]],
        ],
      ],
      [
        'more',
        { message: 'One.', mediaUrl: 'copy.png' },
        'And another.\nMEDIA:copy.png\nMEDIA:other.png',
        [
          ['One.', [['copy.png', 'image/png']]],
          ['And another.', [['other.png', 'image/png']]],
        ],
      ],
    ];
    for (const [table, args, answer, wanted] of cases) {
      await using harness = await open(table, { config: { agents: { defaults: { workspace } } } });
      await using chat = await harness.gateway.connect();
      await harness.ask('draw', call(args), { text: [answer] });
      await chat.event((frame) => frame.event === 'chat' && frame.payload.state === 'final');
      await harness.ask('and?', { text: ['end'] });
      await until(() => harness.texts().at(-1) === 'end', 'the last');
      assert.deepEqual(
        harness.desk.sent
          .slice(0, -1)
          .map(({ message: { payload } }) => [
            payload.text,
            payload.media?.map((file) => [file.name, 'mime' in file ? file.mime : file.url]),
          ]),
        wanted,
        table,
      );
    }
  });

  it('is said in the answer where it was another chat, and its new files go out', async () => {
    await using folder = await tempDir('workspace');
    const workspace = await realpath(folder.path);
    await using harness = await open('elsewhere', { config: { agents: { defaults: { workspace } } } });
    await writeFile(join(workspace, 'a.png'), PNG);
    await harness.ask('tell bob', call({ target: 'bob', message: 'Ann sends a picture.', mediaUrl: 'a.png' }), {
      text: ['Ann sends a picture.\nMEDIA:a.png'],
    });
    await until(() => harness.desk.sent.length === 2, 'both');
    assert.deepEqual(
      harness.desk.sent.map(({ to, message: { payload } }) => [to.chat.id, payload.media?.length]),
      [
        ['bob', 1],
        ['ann', 1],
      ],
    );
  });

  it('is no address but a public one over https', async () => {
    await using harness = await open('addresses');
    const bad = [
      'http://example.com/x.png',
      'https://10.0.0.1/x.png',
      'https://localhost/x',
      'data:image/png;base64,AA',
      'ftp://example.com/x',
      'https://me:pw@example.com/x',
    ];
    for (const [index, mediaUrl] of bad.entries()) {
      await harness.ask(`send ${index}`, call({ message: 'x', mediaUrl }), { text: [`no ${index}`] });
      await until(() => harness.texts().at(-1) === `no ${index}`, mediaUrl);
    }
    assert.equal(harness.desk.sent.length, bad.length, 'nothing but the answers');
  });
});

describe('while an answer is written', () => {
  const slow = 'This is the beginning of an answer that takes its time. ';

  it('a quick one is sent once, after the sign that the message was seen', async () => {
    await using harness = await open('quick', {
      channel: { streaming: 'preview', ackReaction: '👀' },
      config: { messages: { ackReactionScope: 'all', removeAckAfterReply: true } },
    });
    await harness.ask('go', { text: ['quick'] });
    await harness.shows(['quick']);
    await until(() => harness.desk.reactions.length === 2, 'the reaction is gone');
    assert.deepEqual(harness.desk.reactions, [
      { id: 'm1', emoji: '👀', removed: false },
      { id: 'm1', emoji: '👀', removed: true },
    ]);
  });

  it('one that takes its time is announced by typing', async () => {
    await using harness = await open('typing');
    const answer = Promise.withResolvers<void>();
    await harness.ask('go', { text: ['at', ' last'], pause: answer.promise });
    await until(() => harness.desk.typed > 0, 'it types');
    answer.resolve();
    await harness.shows(['at last']);
  });

  it('one message shows it and becomes it', async () => {
    await using harness = await open('preview', { channel: { streaming: 'preview' } });
    const rest = Promise.withResolvers<void>();
    await harness.ask('go', { text: [slow, 'The end.'], pause: rest.promise });
    await harness.shows([slow.trim()]);
    rest.resolve();
    await harness.shows([`${slow}The end.`]);
    assert.equal(harness.desk.sent.length, 1);
    await using chat = await harness.gateway.connect();
    const { runId } = harness.desk.sent[0]!.message;
    await until(
      async () => /"shown"[\s\S]*"delivered"/.test(JSON.stringify(await chat.call('chat.timeline', { runId }))),
      'both in the timeline',
    );
  });

  it('G161 tools are told of in a direct chat to who asked, and never in a group', async () => {
    await using harness = await open('tools');
    await harness.ask('/verbose on');
    await until(() => harness.texts().length === 1, 'the command is answered');
    const call: FakeReply = { calls: [{ id: 'c1', name: 'read', args: { path: 'nothing.md' } }] };
    await harness.ask('look', call, { text: ['done'] });
    await until(() => harness.texts().at(-1) === 'done', 'the answer');
    assert.deepEqual(harness.texts().slice(1), ['🔧 read: `nothing.md`', 'done']);
    harness.gateway.models.reply(call, { text: ['in the group'] });
    await harness.desk.write({ text: '/verbose on look', group: 'family', addressesBot: true });
    await until(() => harness.texts().at(-1) === 'in the group', 'the answer');
    assert.equal(harness.texts().filter((text) => text.startsWith('🔧')).length, 1);
  });

  it('a preview of an earlier run becomes the answer of the next', async () => {
    await using harness = await open('crash', { channel: { streaming: 'preview' } });
    await harness.ask('go', { hang: true, text: [slow] });
    await harness.shows([slow.trim()]);
    const before = harness.desk.sent;
    harness.gateway.models.reply({ text: [`${slow}The end.`] });
    await harness.gateway.restart({ graceMs: 0, while: () => void desks.delete('crash') });
    await until(() => desks.get('crash')?.edited?.length, 'an edit');
    assert.deepEqual(
      [before.length, harness.desk.edited, harness.desk.sent.length],
      [1, [{ id: 's1', text: `${slow}The end.` }], 0],
    );
  });

  it('G160 blocks say it as they are finished, and the answer only the rest', async () => {
    await using harness = await open('blocks', {
      channel: { blockStreaming: true },
      config: { agents: { defaults: { blockStreamingChunk: { minChars: 10, maxChars: 60 } } } },
    });
    const rest = Promise.withResolvers<void>();
    await harness.ask('go', {
      text: ['The first paragraph.\n\nThe second paragraph.\n\n', 'And the end.'],
      pause: rest.promise,
    });
    await harness.shows(['The first paragraph.']);
    rest.resolve();
    await until(() => harness.texts().at(-1)!.endsWith('And the end.'), 'the end');
    assert.equal(harness.texts().join('\n\n'), 'The first paragraph.\n\nThe second paragraph.\n\nAnd the end.');
  });

  it('blocks of an earlier run are not said again', async () => {
    await using harness = await open('crash-blocks', {
      channel: { streaming: 'blocks', responsePrefix: '[C]' },
      config: { agents: { defaults: { blockStreamingChunk: { minChars: 10, maxChars: 60 } } } },
    });
    await harness.ask('go', { hang: true, text: ['The first paragraph.\n\nThe second'] });
    await harness.shows(['[C] The first paragraph.']);
    harness.gateway.models.reply({ text: ['The first paragraph.\n\nThe second paragraph.'] });
    await harness.gateway.restart({ graceMs: 0, while: () => void desks.delete('crash-blocks') });
    await until(() => desks.get('crash-blocks')?.sent.length, 'the rest');
    await harness.shows(['The second paragraph.']);
  });

  it('G160 a block that cannot be sent leaves all of it to the answer', async () => {
    await using harness = await open('broken-block', {
      channel: { streaming: 'blocks' },
      config: { agents: { defaults: { blockStreamingChunk: { minChars: 10, maxChars: 60 } } } },
    });
    const rest = Promise.withResolvers<void>();
    harness.desk.failures.push(new AppError('denied', 'not now'));
    await harness.ask('go', { text: ['The first paragraph.\n\nThe second', ' paragraph.'], pause: rest.promise });
    await until(() => harness.desk.failures.length === 0, 'the refusal');
    rest.resolve();
    await harness.shows(['The first paragraph.\n\nThe second paragraph.']);
  });
});

describe('what a platform refuses', () => {
  it('for now is sent again, in order', async () => {
    await using harness = await open('busy', { channel: { textChunkLimit: 100 } });
    harness.desk.failures.push(new AppError('rate_limited', 'slow down', { retryAfterMs: 30 }));
    await harness.ask('go', { text: [words(20)] });
    await until(() => harness.texts().join(' ') === words(20), 'all of it, in order');
  });

  it('for good is told in the conversation, and the rest goes on', async () => {
    await using harness = await open('refused', { channel: { textChunkLimit: 100 } });
    harness.desk.failures.push(new AppError('denied', 'no such chat'));
    await harness.ask('go', { text: [words(20)] });
    await until(() => harness.texts().join(' ').endsWith('word19'), 'the rest');
    await using chat = await harness.gateway.connect();
    await until(
      async () =>
        (await chat.history('main')).some(({ text }) =>
          /Not delivered to desk[\s\S]*no such chat[\s\S]*word0/.test(text),
        ),
      'the note',
    );
  });
});
